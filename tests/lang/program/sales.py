# A program as models write them: sales.
from collections import defaultdict, Counter, namedtuple, OrderedDict, deque, ChainMap
from datetime import date, datetime, timedelta
import json
Sale = namedtuple('Sale', 'day region product units price')
rows = '2024-01-03,north,widget,10,2.50\n2024-01-03,south,gadget,3,19.99\n2024-01-17,north,gizmo,7,5.25\n2024-02-01,east,widget,12,2.45\n2024-02-14,south,widget,1,2.60\n2024-02-29,north,gadget,4,18.75\n2024-03-05,east,gizmo,9,5.10'
sales = []
for line in rows.splitlines():
    d, r, p, u, pr = line.split(',')
    sales.append(Sale(datetime.strptime(d, '%Y-%m-%d').date(), r, p, int(u), float(pr)))
by_month = defaultdict(lambda: defaultdict(float))
for s in sales:
    by_month[s.day.strftime('%Y-%m')][s.region] += s.units * s.price
for m, regions in sorted(by_month.items()):
    print(m, {k: round(v, 2) for k, v in sorted(regions.items())})
# expect: 2024-01 {'north': 61.75, 'south': 59.97}
# expect: 2024-02 {'east': 29.4, 'north': 75.0, 'south': 2.6}
# expect: 2024-03 {'east': 45.9}
print(max(sales, key=lambda s: s.units * s.price)._asdict())
# expect: {'day': datetime.date(2024, 2, 29), 'region': 'north', 'product': 'gadget', 'units': 4, 'price': 18.75}
print(sales[0]._replace(units=99))
# expect: Sale(day=datetime.date(2024, 1, 3), region='north', product='widget', units=99, price=2.5)
print(f"{'Region':<10}|{'Units':>8}|{'Revenue':>12}")
# expect: Region    |   Units|     Revenue
print('-' * 32)
# expect: --------------------------------
tot = Counter()
for s in sales:
    tot[s.region] += s.units
for r, u in tot.most_common():
    rev = sum((x.units * x.price for x in sales if x.region == r))
    print(f'{r:<10}|{u:>8,d}|{rev:>12,.2f}')
# expect: north     |      21|      136.75
# expect: east      |      21|       75.30
# expect: south     |       4|       62.57
print(json.dumps([s._asdict() | {'day': s.day.isoformat()} for s in sales[:2]], indent=2))
# expect: [
# expect:   {
# expect:     "day": "2024-01-03",
# expect:     "region": "north",
# expect:     "product": "widget",
# expect:     "units": 10,
# expect:     "price": 2.5
# expect:   },
# expect:   {
# expect:     "day": "2024-01-03",
# expect:     "region": "south",
# expect:     "product": "gadget",
# expect:     "units": 3,
# expect:     "price": 19.99
# expect:   }
# expect: ]
week = [s for s in sales if s.day.isocalendar().week < 5]
print(len(week))
# expect: 3
print([s.day.isoweekday() for s in week])
# expect: [3, 3, 3]
print(sales[5].day.timetuple().tm_yday)
# expect: 60
print((sales[-1].day - sales[0].day).days)
# expect: 62
print(sales[0].day + timedelta(weeks=2, days=-1))
# expect: 2024-01-16
print(dict(ChainMap({'a': 1}, {'a': 2, 'b': 3})))
# expect: {'a': 1, 'b': 3}
print(Sale._fields)
# expect: ('day', 'region', 'product', 'units', 'price')
print(Sale.__doc__)
# expect: Sale(day, region, product, units, price)
od = OrderedDict(((s.product, s.units) for s in sales))
od.move_to_end('widget')
print(od)
# expect: OrderedDict([('gadget', 4), ('gizmo', 9), ('widget', 1)])
print(sorted(sales, key=lambda s: (-s.units, s.product))[:3])
# expect: [Sale(day=datetime.date(2024, 2, 1), region='east', product='widget', units=12, price=2.45), Sale(day=datetime.date(2024, 1, 3), region='north', product='widget', units=10, price=2.5), Sale(day=datetime.date(2024, 3, 5), region='east', product='gizmo', units=9, price=5.1)]
