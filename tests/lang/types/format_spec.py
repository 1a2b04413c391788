# format() and f-strings: the mini-language.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: format(1,'zz'))
# expect: ValueError: Unknown format code 'z' for object of type 'int'
show(lambda: format('a','d'))
# expect: ValueError: Unknown format code 'd' for object of type 'str'
show(lambda: format(1,'s'))
# expect: ValueError: Unknown format code 's' for object of type 'int'
show(lambda: format(1.5,'d'))
# expect: ValueError: Unknown format code 'd' for object of type 'float'
show(lambda: format(1,',_'))
# expect: ValueError: Cannot specify both ',' and '_'.
show(lambda: format(1,'_,'))
# expect: ValueError: Cannot specify both ',' and '_'.
show(lambda: format(1,',x'))
# expect: ValueError: Cannot specify ',' with 'x'.
show(lambda: format(1,'_x'))
# expect: '1'
show(lambda: format(1,'c'))
# expect: '\x01'
show(lambda: format(-1,'c'))
# expect: OverflowError: %c arg not in range(0x110000)
show(lambda: format(1,'+c'))
# expect: ValueError: Sign not allowed with integer format specifier 'c'
show(lambda: format('a','+'))
# expect: ValueError: Sign not allowed in string format specifier
show(lambda: format('a','=5'))
# expect: ValueError: '=' alignment not allowed in string format specifier
show(lambda: format('a','05'))
# expect: 'a0000'
show(lambda: format(1,'.2d'))
# expect: ValueError: Precision not allowed in integer format specifier
show(lambda: format('a',','))
# expect: ValueError: Cannot specify ',' with 's'.
show(lambda: format('a','#'))
# expect: ValueError: Alternate form (#) not allowed in string format specifier
show(lambda: format([], '5'))
# expect: TypeError: unsupported format string passed to list.__format__
show(lambda: format(None,'5'))
# expect: TypeError: unsupported format string passed to NoneType.__format__
show(lambda: format(1.5,'z.1f'))
# expect: '1.5'
show(lambda: format(1,'z'))
# expect: ValueError: Negative zero coercion (z) not allowed in integer format specifier
show(lambda: format(1j,'05'))
# expect: ValueError: Zero padding is not allowed in complex format specifier
show(lambda: format(1j,'=10'))
# expect: ValueError: '=' alignment flag is not allowed in complex format specifier
show(lambda: format(1j,'>10'))
# expect: '        1j'
show(lambda: format(True,'5'))
# expect: '    1'
show(lambda: format(True,'d'))
# expect: '1'
show(lambda: format(1,'%'))
# expect: '100.000000%'
show(lambda: format(1234567.891,',.2f'))
# expect: '1,234,567.89'
show(lambda: format(1e20,','))
# expect: '1e+20'
show(lambda: format(0.0001,'g'))
# expect: '0.0001'
show(lambda: format(123456789,'e'))
# expect: '1.234568e+08'
show(lambda: format(1.0,'n'))
# expect: '1'
show(lambda: format(float('nan'),'010'))
# expect: '0000000nan'
show(lambda: format(float('inf'),'+010.2f'))
# expect: '+000000inf'
show(lambda: format(12345,'010,'))
# expect: '00,012,345'
show(lambda: format(-12345,'010,'))
# expect: '-0,012,345'
show(lambda: format(12345,'08,'))
# expect: '0,012,345'
show(lambda: format(12345,'09,'))
# expect: '0,012,345'
show(lambda: format(255,'#010x'))
# expect: '0x000000ff'
show(lambda: format(255,'#_b'))
# expect: '0b1111_1111'
show(lambda: format(3,'^10'))
# expect: '    3     '
show(lambda: format(3,'*^10'))
# expect: '****3*****'
show(lambda: format('abc','.2'))
# expect: 'ab'
show(lambda: format('abc','*^9.2s'))
# expect: '***ab****'
show(lambda: format(1,'1000000000000000000000'))
# expect: ValueError: Too many decimal digits in format string
show(lambda: format(1.5,'.99999999999999999999'))
# expect: ValueError: Too many decimal digits in format string
show(lambda: format('a','.x'))
# expect: ValueError: Format specifier missing precision
show(lambda: format(65,'c'))
# expect: 'A'
show(lambda: format(1234.5,'_'))
# expect: '1_234.5'
show(lambda: format(1.5,'#.0f'))
# expect: '2.'
show(lambda: format(1e10,'#g'))
# expect: '1.00000e+10'
show(lambda: format(1e100,''))
# expect: '1e+100'
show(lambda: format(1e16,''))
# expect: '1e+16'
show(lambda: format(0.1,'.17'))
# expect: '0.10000000000000001'
show(lambda: format(100000000.0,''))
# expect: '100000000.0'
show(lambda: format(1.0,'.0'))
# expect: '1e+00'
show(lambda: format(12.0,'.3'))
# expect: '12.0'
show(lambda: format(123.0,'.3'))
# expect: '1.23e+02'
show(lambda: format(1234.0,'.3'))
# expect: '1.23e+03'
show(lambda: format(0.0,'.3'))
# expect: '0.0'
show(lambda: format(99.95,'.3'))
# expect: '1e+02'
show(lambda: format(999.5,'.3'))
# expect: '1e+03'
show(lambda: format(1e-7,'.3'))
# expect: '1e-07'
show(lambda: format(1.5,'.20'))
# expect: '1.5'
show(lambda: format(1+2j,'.2f'))
# expect: '1.00+2.00j'
show(lambda: format(complex(1,-2),'+.1e'))
# expect: '+1.0e+00-2.0e+00j'
show(lambda: format(1+2j,''))
# expect: '(1+2j)'
show(lambda: format(2j,''))
# expect: '2j'
show(lambda: format(2j,'.3'))
# expect: '2j'
show(lambda: format(1.5+2j,'>20'))
# expect: '            (1.5+2j)'
show(lambda: format(1,'٣'))
# expect: '  1'
show(lambda: format(1.5, '1.'))
# expect: ValueError: Format specifier missing precision
show(lambda: f'{1:{2}{3}}')
# expect: '                      1'
show(lambda: format(0,'#x'))
# expect: '0x0'
show(lambda: format(-5,'08b'))
# expect: '-0000101'
show(lambda: format(1234567,'_b'))
# expect: '1_0010_1101_0110_1000_0111'
show(lambda: format(1e3,'015,.2f'))
# expect: '0,000,001,000.00'
show(lambda: format(-0.0,'z'))
# expect: '0.0'
show(lambda: format(-0.001,'z.2f'))
# expect: '0.00'
show(lambda: round(-0.0))
# expect: 0
show(lambda: format(float('-inf'),'08'))
# expect: '-0000inf'
show(lambda: format(10**30,'e'))
# expect: '1.000000e+30'
show(lambda: format(10**400,'e'))
# expect: OverflowError: int too large to convert to float
show(lambda: format(10**20,','))
# expect: '100,000,000,000,000,000,000'
show(lambda: format(True,''))
# expect: 'True'
show(lambda: format(1,'<+5'))
# expect: '+1   '
show(lambda: format('é','>5'))
# expect: '    é'
show(lambda: format(3.0,'#'))
# expect: '3.0'
show(lambda: f'{3.14159:.2f} {42:05d} {"a":>3} {1000000:,} {0.5:%} {255:x} {255:#X} {5:b}')
# expect: '3.14 00042   a 1,000,000 50.000000% ff 0XFF 101'
show(lambda: f'{[1,2]!r} {"é"!a} {"x"!s:>4}')
# expect: "[1, 2] '\\xe9'    x"
show(lambda: f'{1+1=} {"a"=} {3.5=:.1f}')
# expect: '1+1=2 "a"=\'a\' 3.5=3.5'
show(lambda: f'{{}} {{{1}}}')
# expect: '{} {1}'
show(lambda: format(2**70,'x'))
# expect: '400000000000000000'
show(lambda: format(-2**70,','))
# expect: '-1,180,591,620,717,411,303,424'
show(lambda: format(2**70,'X'))
# expect: '400000000000000000'
show(lambda: format(12.5,'e'))
# expect: '1.250000e+01'
show(lambda: format(1.23456789e-10,'.3e'))
# expect: '1.235e-10'
show(lambda: format(1.5,'08.2f'))
# expect: '00001.50'
show(lambda: format(-1.5,'08.2f'))
# expect: '-0001.50'
show(lambda: format(1.5,'<8'))
# expect: '1.5     '
show(lambda: format(1.5,'^9.1f'))
# expect: '   1.5   '
show(lambda: format(1.5,'+'))
# expect: '+1.5'
show(lambda: format(1.5,' '))
# expect: ' 1.5'
show(lambda: format(0.1+0.2,''))
# expect: '0.30000000000000004'
show(lambda: format(1e-5,''))
# expect: '1e-05'
show(lambda: format(123456.789,'.2e'))
# expect: '1.23e+05'
show(lambda: format(5,'e'))
# expect: '5.000000e+00'
show(lambda: format(0.00001234,'g'))
# expect: '1.234e-05'
show(lambda: format(1234567,'g'))
# expect: '1.23457e+06'
show(lambda: format(100000,'g'))
# expect: '100000'
show(lambda: format(1000000,'g'))
# expect: '1e+06'
show(lambda: format(1e5,'.1g'))
# expect: '1e+05'
show(lambda: format(0,'g'))
# expect: '0'
show(lambda: format(25,'.0%'))
# expect: '2500%'
show(lambda: format(0.256,'.1%'))
# expect: '25.6%'
show(lambda: format(1.5,'.1'))
# expect: '2e+00'
show(lambda: format(15.0,'.1'))
# expect: '2e+01'
show(lambda: format(0.15,'.1'))
# expect: '0.1'
show(lambda: format(1e22,'.3'))
# expect: '1e+22'
show(lambda: format(1,'010'))
# expect: '0000000001'
show(lambda: format(1,'>010'))
# expect: '0000000001'
show(lambda: format(1,'x<010'))
# expect: '1xxxxxxxxx'
show(lambda: format('a','x^7'))
# expect: 'xxxaxxx'
show(lambda: format('abc','<'))
# expect: 'abc'
show(lambda: format(3,'=+6'))
# expect: '+    3'
show(lambda: format(-3,'=6'))
# expect: '-    3'
show(lambda: format(-3,'*=6'))
# expect: '-****3'
