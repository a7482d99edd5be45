"""Hooks that change or count responses before a client reads them."""


class ResponseCallback:
    """Replaces a status by another one: of the first response that has it, or of all."""

    def __init__(self, status=None, new_status=None):
        self.status = status
        self.new_status = new_status
        self.first = True
        self.count = 0

    def override_first_status(self, response):
        if self.first and self._replace(response):
            self.first = False
        self.count += 1

    def override_status(self, response):
        self._replace(response)
        self.count += 1

    def _replace(self, response):
        found = response.http_response.status_code == self.status
        if found:
            response.http_response.status_code = self.new_status
        return found


class RetryCounter:
    """Counts retries."""

    def __init__(self):
        self.count = 0

    def simple_count(self, _context):
        self.count += 1
