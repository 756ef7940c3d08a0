// As much of two Python packages as a program of the documents uses, for machines that do not have them.

/** Stands in for `requests`. */
export const REQUESTS = `
import json, urllib.parse, urllib.request

class Answer:
    def __init__(self, status, body):
        self.status, self.body = status, body
    def raise_for_status(self):
        if self.status >= 400:
            raise RuntimeError(self.status)
    def json(self):
        return json.loads(self.body)

def get(url, *, params, headers, timeout, allow_redirects):
    assert allow_redirects is False
    request = urllib.request.Request(url + "?" + urllib.parse.urlencode(params), headers=headers)
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return Answer(answer.status, answer.read())
`;

/** Stands in for `pandas`. */
export const PANDAS = `
import csv

class DataFrame:
    def __init__(self, rows):
        self.rows = rows
    def sort_values(self, column):
        return DataFrame(sorted(self.rows, key=lambda row: row[column]))
    def to_csv(self, path, *, columns, index):
        assert index is False
        with open(path, "w", newline="") as file:
            table = csv.DictWriter(file, columns, extrasaction="ignore")
            table.writeheader()
            table.writerows(self.rows)
`;
