#!/usr/bin/env python3
"""Checks a Sic Bo table's journal without the product, from README.md alone: python3 check-journal.py JOURNAL [ANCHOR.json]"""
import hashlib, json, sqlite3, sys

anchor = json.load(open(sys.argv[2])) if len(sys.argv) > 2 else {"recordNumber": 0, "hash": "0" * 64}
number, head = 0, "0" * 64
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
for row in db.execute("SELECT * FROM events ORDER BY record_number"):
    number += 1
    *sealed, written = row
    if row[3] == int(row[3]):  # ECMAScript writes 3.0 as 3; between 1e-6 and 1e16 it agrees with Python on the rest
        sealed[3] = int(row[3])
    text = json.dumps(sealed, separators=(",", ":"), ensure_ascii=False)
    if row[0] != number: sys.exit(f"record {number} is missing")
    if row[8] != head: sys.exit(f"record {number} does not follow the record before it")
    if hashlib.sha256(text.encode()).hexdigest() != written: sys.exit(f"record {number} was changed")
    head = written
    if number == anchor["recordNumber"] and head != anchor["hash"]: sys.exit(f"record {number} is not the one in the anchor")
if number < anchor["recordNumber"]: sys.exit(f"the journal ends at record {number}, the anchor names {anchor['recordNumber']}")
print(f"{number} records, head {head}")
