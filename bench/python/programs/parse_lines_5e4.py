def main():
    text = '\n'.join('2024-01-%02d,user%d,%d' % (i % 28 + 1, i % 100, i)
                     for i in range(50000))
    days = {}
    for line in text.split('\n'):
        day, user, amount = line.split(',')
        days[day] = days.get(day, 0) + int(amount)
        if user.startswith('user9') and user.endswith('9'):
            days[user] = len(user.upper().replace('USER', ''))
    return len(days)
assert main() == 30
