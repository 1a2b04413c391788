def main():
    s = 'aé' * 100000
    n = 0
    for i in range(len(s)):
        if s[i] == 'é':
            n += 1
    return n
assert main() == 100000
