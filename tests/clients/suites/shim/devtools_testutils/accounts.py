"""Passes names and keys of accounts to the tests. The values are environment variables with the names in upper case."""

import functools
import inspect
import os


class Secret:
    """A key that a test reads with `.secret`, and that no message contains."""

    def __init__(self, secret):
        self.secret = secret

    def __repr__(self):
        return "Secret"


class EnvironmentVariableOptions:
    """The names of the values that are passed as a `Secret`."""

    def __init__(self, *, hide_secrets=(), **_options):
        self.hidden = frozenset(hide_secrets)


class EnvironmentVariableLoader:
    """A decorator that passes the values of these names to a test, by keyword."""

    def __init__(self, _service, *, options=None, **names):
        self.names = tuple(names)
        self.hidden = options.hidden if options else frozenset()

    def __call__(self, test):
        parameters = inspect.signature(test).parameters.values()
        takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
        taken = {parameter.name for parameter in parameters}
        names = [name for name in self.names if takes_all or name in taken]

        def values():
            return {name: self._value(name) for name in names}

        if inspect.iscoroutinefunction(test):

            @functools.wraps(test)
            async def passing(*arguments, **options):
                return await test(*arguments, **values(), **options)

        else:

            @functools.wraps(test)
            def passing(*arguments, **options):
                return test(*arguments, **values(), **options)

        # pytest takes the other parameters for fixtures.
        passing.__signature__ = inspect.Signature([one for one in parameters if one.name not in self.names])
        return passing

    def _value(self, name):
        value = os.environ[name.upper()]
        return Secret(value) if name in self.hidden else value


class PowerShellPreparer(EnvironmentVariableLoader):
    """The same, under the name that the tests of tables use."""
