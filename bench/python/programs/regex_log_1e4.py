import re

def main():
    lines = [f'2024-01-{i % 28 + 1:02d} host{i % 7} GET /item/{i}?q=a{i}&r=b 20{i % 5} {i * 3}ms'
             for i in range(10000)]
    text = '\n'.join(lines)
    words = len(re.findall(r'\w+', text))
    pairs = re.findall(r'(\w+)=(\w+)', text)
    row = re.compile(r'(\d{4})-(\d\d)-(\d\d) (\w+) (\S+)')
    hosts = {}
    for line in lines:
        m = row.match(line)
        hosts[m.group(4)] = hosts.get(m.group(4), 0) + int(m.group(3))
    hidden = re.sub(r'\d+', '#', text)
    pieces = re.split(r'[?&]', text)
    return words, len(pairs), sorted(hosts)[0], hidden.count('#'), len(pieces)
assert main() == (130000, 20000, 'host0', 80000, 20001)
