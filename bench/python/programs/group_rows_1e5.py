def main():
    rows = [{'id': i, 'team': 't%d' % (i % 17), 'score': i * 7 % 101}
            for i in range(100000)]
    totals = {}
    for row in rows:
        team = row['team']
        if team not in totals:
            totals[team] = {'n': 0, 'sum': 0}
        totals[team]['n'] += 1
        totals[team]['sum'] += row['score']
    best = sorted(totals.items(), key=lambda kv: (-kv[1]['sum'], kv[0]))
    return best[0][0], sum(t['n'] for t in totals.values())
assert main()[1] == 100000
