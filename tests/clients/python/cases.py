"""Cases of a scenario: functions under a decorator, run in order, one line of answer for each."""

import json
import time

_CASES = []


def case(function):
    """Adds a function of one argument, the account, to what is run."""
    _CASES.append(function)
    return function


def run(account):
    """Prints one JSON object a line: the case, how long it took in milliseconds, and what was wrong with it, if anything."""
    for function in _CASES:
        name = f"{function.__module__}.{function.__name__}"
        begun = time.monotonic()
        wrong = None
        try:
            function(account)
        except Exception as error:  # A case fails alone; the others are still told of.
            wrong = f"{type(error).__name__}: {error}"
        took = round((time.monotonic() - begun) * 1000)
        print(json.dumps({"case": name, "ms": took, "wrong": wrong}), flush=True)


def equal(found, expected):
    """Holds two values against each other."""
    assert found == expected, f"found {found!r}, expected {expected!r}"


def refused(expected, call, *arguments, **named):
    """Calls, and holds the refusal against the expected code, any of a set of codes, or a pair of status and code.

    Answers the error.
    """
    status, codes = expected if isinstance(expected, tuple) else (None, expected)
    codes = {codes} if isinstance(codes, str) else codes
    try:
        answer = call(*arguments, **named)
    except Exception as error:
        code = _code(error)
        if code not in codes:
            raise AssertionError(f"refused by {code}, expected {codes}: {error}") from error
        if status is not None:
            equal(error.status_code, status)
        return error
    raise AssertionError(f"answered {answer!r}, expected a refusal by {codes}")


def _code(error):
    """The service's code. Some calls of the clients leave it in the response's body."""
    named = getattr(error, "error_code", None)
    if named is not None:
        return getattr(named, "value", named)
    response = getattr(error, "response", None)
    if response is None:
        return None
    try:
        return json.loads(response.text())["odata.error"]["code"]
    except (ValueError, KeyError):
        return response.headers.get("x-ms-error-code")
