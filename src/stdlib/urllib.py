# urllib: a package; urllib.parse is what programs here can use.
