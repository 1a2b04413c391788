#!/usr/bin/env python3
"""Hostile programs end in time and within their memory, and leave a session
that works.

Each runs under 0.3 seconds and 64 MiB in a process of its own (tests/tools/
hostile.c) and may take 1.2 times the time, by the processor's clock, and let the
process grow by 1.05 times the memory. The host must not crash. TAP.
"""
import os
import re
import subprocess
import tempfile

build = os.environ.get("CORDON_BUILD", "build")
sanitized = bool(os.environ.get("SAN"))
TIME, MEMORY = 400, 64  # milliseconds, MiB
most_ms = TIME * (20 if sanitized else 1.2) + 10
most_kib = MEMORY * 1024 * (100 if sanitized else 1.05)
progs = {
'rec': 'def f(): f()\nf()',
'rec_lambda': 'f=lambda: f()\nf()',
'deep_list': 'x=[]\nfor i in range(100000): x=[x]\nprint(len(repr(x)))',
'deep_list_eq': 'x=[];y=[]\nfor i in range(100000): x=[x];y=[y]\nprint(x==y)',
'deep_tuple_hash': 'x=()\nfor i in range(100000): x=(x,)\nhash(x)',
'self_list': 'x=[];x.append(x);print(x);print(x==x)\ny=[];y.append(y)\ntry: print(x==y)\nexcept RecursionError as e: print(e)',
'self_dict': 'd={};d[1]=d;print(d)',
'big_mul': 'x=3\nwhile True: x=x*x',
'big_pow': '10**10**10',
'big_shift': '1<<10**12',
'pow3': 'a=3**200000;print(pow(a,a,a+1)%7)',
'str_mul': '"x"*10**12',
'list_mul': '[1]*10**10',
'tuple_mul': '(1,)*10**9',
'inf': 'while True: pass',
'inf_gen': 'def g():\n  while True: yield 1\nlist(g())',
'inf_append': 'x=[]\nwhile True: x.append(1)',
'inf_str': 's="a"\nwhile True: s+=s',
'inf_dict': 'd={}\ni=0\nwhile True:\n d[i]=i;i+=1',
'inf_set': 'd=set()\ni=0\nwhile True:\n d.add(i);i+=1',
'catch_all': 'while True:\n try:\n  while True: pass\n except BaseException: pass',
'catch_rec': 'def f():\n try: f()\n except BaseException: f()\nf()',
'catch_mem': 'x=[]\nwhile True:\n try:\n  while True: x.append([1]*1000)\n except MemoryError: pass',
'fin': 'def f():\n try:\n  while True: pass\n finally:\n  while True: pass\nf()',
'range_list': 'list(range(10**10))',
'sum_range': 'print(sum(range(10**12)))',
'sorted_key': 'sorted(range(10**6), key=lambda x: -x)\nprint(1)',
'sort_mut': 'x=list(range(100))\ndef k(v):\n x.append(v);return v\ntry: x.sort(key=k)\nexcept ValueError as e: print(e)',
'cmp_rec': 'class A:\n def __lt__(s,o): return sorted([A(),A()])[0] is s\nsorted([A(),A()])',
'repr_rec': 'class A:\n def __repr__(s): return repr(s)\nrepr(A())',
'eq_rec': 'class A:\n def __eq__(s,o): return s==o\nA()==A()',
'hash_rec': 'class A:\n def __hash__(s): return hash(s)\nhash(A())',
'getattr_rec': 'class A:\n def __getattr__(s,n): return s.y\nA().x',
'print_flood': 'while True: print("x"*1000)',
'fmt_width': 'f"{1:>1000000000}"',
'fmt_prec': '"%.1000000000f" % 1.5',
'int_str': 'print(len(str(10**5000)))',
'int_parse': 'int("9"*100000)',
'join': '"".join(["x"*1000]*10**6)',
'replace': '("a"*10**5).replace("a","b"*10**5)',
'gen_chain': 'def g(n):\n  if n: yield from g(n-1)\n  yield n\nprint(sum(g(900)))\nprint(sum(g(5000)))',
'exc_chain': 'e=None\nfor i in range(100000):\n  try: raise ValueError(i) from e\n  except ValueError as x: e=x\nraise e',
'exc_ctx': 'def f(n):\n  try: raise ValueError\n  except ValueError:\n    if n: f(n-1)\n    else: raise KeyError\nf(400)',
'class_chain': 'C=object\nfor i in range(1000): C=type("C",(C,),{})\nprint(len(C.__mro__))',
'attr_many': 'class A: pass\na=A()\nfor i in range(100000): setattr(a,"x%d"%i,i)\nprint(a.x5)',
'kw_many': 'def f(**k): return len(k)\nprint(f(**{str(i):i for i in range(100000)}))',
'args_many': 'def f(*a): return len(a)\nprint(f(*range(1000000)))',
'zip_big': 'print(len(list(zip(range(10**6),range(10**6)))))',
'call_inst': 'class A: pass\nA.__call__=A()\nA()()',
'mro_rec': 'class M(type):\n def mro(c): return c.mro()\n',
'del_self': 'class A:\n def f(s): del s.f\nA().f()',
'iter_mut': 'd={1:1}\nfor k in d: d[k+1]=1',
'list_mut': 'x=[1]\nfor v in x: x.append(v)',
'super_bad': 'super().x',
'bool_rec': 'class A:\n def __bool__(s): return bool(s)\nbool(A())',
'len_neg': 'class A:\n def __len__(s): return -1\nlen(A())',
'index_rec': 'class A:\n def __index__(s): return s\n[1][A()]',
'unpack_big': 'a,*b=range(10**6)\nprint(len(b))',
'comp_big': 'print(len([i for i in range(10**6) for j in range(1)]))',
'nest_src': '('*10000+')'*10000,
'nest_list': '['*50000,
'long_expr': '+'.join(['1']*100000),
'long_attr': 'x'+'.a'*100000,
'long_elif': 'if 0: pass\n'+'elif 0: pass\n'*50000,
'long_src': 'x=1\n'*200000,
'big_list_lit': 'x=['+','.join(str(i) for i in range(200000))+']\nprint(len(x))',
'many_locals': 'def f():\n'+''.join(f' v{i}={i}\n' for i in range(3000))+' return v2999\nprint(f())',
'many_args': 'def f('+','.join(f'a{i}' for i in range(300))+'): return a299\nprint(f(*range(300)))',
'many_consts': 'x=['+','.join(f'{i}.5' for i in range(70000))+']\nprint(len(x))',
'many_globals': ''.join(f'g{i}=1\n' for i in range(70000)),
'dict_collide': 'd={}\nfor i in range(10**5): d[i*2**61]=1\nprint(len(d))',
'gen_alive': 'gs=[]\ndef g(): yield 1\nwhile True:\n x=g();next(x);gs.append(x)',
'closures': 'f=lambda:0\nfor i in range(100000): f=(lambda g: lambda: g)(f)\nprint(1)',
'deepcall': 'def f(n): return 0 if n==0 else f(n-1)\nprint(f(990))\nprint(f(2000))',
'throw_deep': 'def g():\n try: yield\n except: g2.throw(ValueError)\ng2=g();next(g2);g2.throw(ValueError)',
'slice_big': 'x=list(range(10));print(x[::10**18], x[-10**20:10**20])',
'bytes_big': 'bytes(10**12)',
'set_ops': 'a=set(range(10**6));print(len(a|a),len(a&a))',
'divmod': 'x=7**100000\nfor i in range(10**6): x=x//3 if x else 7**100000',
'import_bad': 'import os',
'delglob': 'print=1\ndel print\nprint(2)',
'exit': 'raise SystemExit(7)',
'async_bomb': 'async def f(): await f()\nc=f()\nc.send(None)',
'mem_just': 'x=[0]*7000000\nfor i in range(300000): y=[i]*10\nprint(len(x))',
'cycle': 'while True:\n a=[];a.append(a)',
'str_idx': 's="é"*100000\nn=0\nfor i in range(len(s)): n+=s[i]=="é"\nprint(n)',
'eq_user_deep':'class A:\n def __eq__(s,o): return True\nx=[A()]\ny=[A()]\nfor i in range(1000): x=[x];y=[y]\nprint(x==y)',
'gc_wide': 'node=[]\nfor k in range(300):\n    node=[[] for i in range(4200)]+[node]\n',
'gc_deep': 'node=[]\nfor k in range(400000): node=[[],node]\n',
'json_loads': 'import json\nt="["+"1,"*10000000+"1]"\nx=json.loads(t)',
'json_dumps': 'import json\nx=json.dumps([1234567]*7000000)',
'json_dag': 'import json\nt=[]\nfor i in range(60): t=[t,t]\njson.dumps(t)',
'repr_dag': 't=()\nfor i in range(90): t=(t,t)\nrepr(t)',
'eq_dag': 't=();u=()\nfor i in range(90): t=(t,t);u=(u,u)\nt==u',
'isinstance_dag': 't=int\nfor i in range(90): t=(t,t)\nisinstance("",t)',
'pow_mod': 'x=(1<<200000)+1\npow(x,x,x+2)',
'pow_inverse': 'x=(1<<4000000)+1\nwhile True: pow(3**1000000,-1,x)',
'strip_set': 's="é"*2000000\np="".join(map(chr,range(256,100000)))+"é"\nwhile True: s.strip(p)',
'rfind_bad': 's="a"*4000000\np="b"+"a"*1000000\nwhile True: s.rfind(p)',
'compare_long': 'a="x"*10000000\nb="x"*9999999+"y"\nwhile True: a==b; a<b',
'list_of_long': 'a=["x"*1000000]*10000\nb=["x"*999999+"x"]*10000\nwhile True: a==b',
'sort_long': 'while True: sorted([("x"*100000,v) for v in range(3000)])',
'getattr_long': 'a="x"*10000000\nwhile True: getattr(1,a,0)',
'hash_bytes': 'b=bytes(20000000)\nwhile True: hash(b)',
'bit_count': 'x=(1<<20000000)-1\nwhile True: x.bit_count(); hash(x)',
'dict_front': 'd=dict.fromkeys(range(400000))\nwhile True: d.pop(next(iter(d)))',
'retry': 'while True:\n try: f"{1.5:.60000000f}"\n except MemoryError: pass',
're_position': 'import re\nre.sub("é","e","é"*5000000)',
're_nested': 'import re\nwhile True:\n try: re.match(r"(a|aa)+$","a"*60+"b")\n except RuntimeError: pass',
're_deep': 'import re\nx="y"*40000000\nre.match("(?:(a)|(b))*c","ab"*5000000)',
're_starts': 'import re\nre.search(r"(\\w+)[=:]|!","a"*1000000)',
're_scans': 'import re\nre.search(r".*\\w+[=:]","a"*1000000)',
're_scans_wide': 'import re\nre.search(r".*\\w+[=:]","é"*30000)',
're_short': 'import re\nt="a"*400\nwhile True: re.search(r".*.*\\w+[=:]",t)',
're_row': 'import re\nre.search(r"\\d\\d+[=:]","1"*1000000)',
'loop_compare': 'w=1<<70\nn=2\nwhile n<w: n+=1',
'loop_contains': 'class A:\n def __contains__(s,x): return True\na=A()\nn=0\nwhile n in a: n+=1',
'loop_mixed': 'n=0.5\nw=(1<<70,)\nwhile (n,)<w: n+=1',
'loop_truth': 'x={1:2}.keys()\nwhile x: pass',
'exc_long': 'raise ValueError("x"*60000000)',
'startswith_tuple': 't=("b",)*1000000\nwhile True: "a".startswith(t)',
'except_tuple': 't=(KeyError,)*1000000\nwhile True:\n try: raise ValueError\n except t: pass\n except ValueError: pass',
'mul_huge': 'x=1<<30000000\nx-=1\nwhile True: x*x',
'mul_long': 'x=(1<<16000000)-1\nwhile True: x*x',
'mul_uneven': 'x=(1<<30000000)-1\ny=(1<<3000000)-1\nwhile True: x*y',
'div_long': 'x=(1<<33000000)-1\ny=(1<<16000000)+12345\nwhile True: x//y',
'mod_long': 'x=(1<<33000000)-1\ny=(1<<16000000)+12345\nwhile True: x%y',
'pow_long': 'while True: 3**16000000',
'pow_mod_long': 'pow((1<<8000000)-1,(1<<100)-1,(1<<8000000)+7)',
'int_text_long': 'x=(1<<30000000)-1\nwhile True: hex(x); int("f"*7000000, 16)',
'exc_circle': 'try: raise ValueError\nexcept ValueError as e:\n e.__context__=e\n raise TypeError',
'exc_circle_two': 'a,b=ValueError(),KeyError()\na.__context__=b\nb.__context__=a\ntry: raise a\nexcept ValueError: raise TypeError',
'made_classes': 'import collections\ni=0\nwhile True:\n i+=1\n try: collections.namedtuple("Q","x%d"%i)\n except MemoryError: pass',
'made_data': 'import dataclasses\ni=0\nwhile True:\n i+=1\n dataclasses.make_dataclass("Q",["x%d"%i])',
'src_list': 'x=[' + '1,' * 3000000 + ']\n',
'src_lines': 'x=1\n' * 2000000,
'src_sum': 'x=' + '1+' * 3000000 + '1\n',
'src_text': 'x="' + 'a' * 8000000 + '"\n',
'src_ten_mb': 'print("x")\n' * 1000000,
}


def judge(code):
    with tempfile.NamedTemporaryFile() as file:
        file.write(code.encode())
        file.flush()
        try:
            done = subprocess.run(
                [f"{build}/tests/tools/hostile", str(TIME), str(MEMORY),
                 file.name], capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return "did not end in a minute"
    told = re.match(rb"status (\d+) ms (\d+) kib (-?\d+) usable (\d)",
                    done.stdout)
    if done.returncode or not told:
        words = done.stderr.decode(errors="replace").strip().split("\n")[-1]
        return f"exit {done.returncode}: {words}"
    _, ms, kib, usable = map(int, told.groups())
    if not usable:
        return "the session cannot be used any more"
    if ms > most_ms:
        return f"took {ms} ms of {TIME}"
    if kib > most_kib:
        return f"grew by {kib} KiB of {MEMORY * 1024}"
    return None


print(f"1..{len(progs)}")
bad = 0
for number, (name, code) in enumerate(progs.items(), 1):
    why = judge(code)
    print(f"{'not ok' if why else 'ok'} {number} - {name}", flush=True)
    if why:
        print(f"# {why}")
        bad += 1
raise SystemExit(bad > 0)
