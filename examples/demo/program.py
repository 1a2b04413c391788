import re

unpaid = db.query(
    sql="SELECT customer, amount FROM orders WHERE paid = 0 AND due < ?",
    parameters=["2026-05-01"])["rows"]
owed = {}
for order in unpaid:
    owed[order["customer"]] = owed.get(order["customer"], 0) + order["amount"]

customers = {c: crm.get_customer(id=c) for c in owed}
contracts = {c: files.read(name=c + ".md") for c in owed}

reminded = []
for c in sorted(owed):
    amended = re.search(r"reminders to (\S+@\S+)", contracts[c]["text"])
    to = amended.group(1) if amended else customers[c]["email"]
    mail.send(to=to, subject="Reminder",
              body=f"{customers[c]['name']}: {owed[c]:.2f} EUR is due.")
    reminded.append(customers[c]["name"])
reminded
