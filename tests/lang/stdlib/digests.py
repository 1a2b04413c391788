# Digests and bytes as letters.
import base64, binascii, hashlib, hmac
for n in (0, 1, 2, 3, 4, 55, 56, 64, 111, 112, 129):
    d = bytes(i * 7 & 255 for i in range(n))
    for name in sorted(["md5","sha1","sha224","sha256","sha384","sha512"]):
        h = hashlib.new(name); h.update(d[:n//2]); h.update(d[n//2:])
        print(n, name, h.hexdigest(), getattr(hashlib, name)(d).hexdigest() == h.hexdigest(), h.name, h.digest_size, h.block_size)
    print(base64.b64encode(d), base64.b32encode(d), base64.b16encode(d), base64.b85encode(d), base64.a85encode(d), base64.urlsafe_b64encode(d))
    for e, f in ((base64.b64encode, base64.b64decode),(base64.b32encode, base64.b32decode),(base64.b16encode, base64.b16decode),(base64.b85encode, base64.b85decode),(base64.a85encode, base64.a85decode),(base64.urlsafe_b64encode, base64.urlsafe_b64decode),(base64.encodebytes, base64.decodebytes),(base64.b32hexencode, base64.b32hexdecode)):
        assert f(e(d)) == d
    print(binascii.crc32(d), hmac.new(b"key", d, hashlib.sha256).hexdigest(), hmac.new(b"k"*100, d, "md5").hexdigest())
# expect: 0 md5 d41d8cd98f00b204e9800998ecf8427e True md5 16 64
# expect: 0 sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709 True sha1 20 64
# expect: 0 sha224 d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f True sha224 28 64
# expect: 0 sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 True sha256 32 64
# expect: 0 sha384 38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b True sha384 48 128
# expect: 0 sha512 cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e True sha512 64 128
# expect: b'' b'' b'' b'' b'' b''
# expect: 0 5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0 73b8c29a3a45f74139dfbf40d439a712
# expect: 1 md5 93b885adfe0da089cdf634904fd59f71 True md5 16 64
# expect: 1 sha1 5ba93c9db0cff93f52b521d7420e43f6eda2784f True sha1 20 64
# expect: 1 sha224 fff9292b4201617bdc4d3053fce02734166a683d7d858a7f5f59b073 True sha224 28 64
# expect: 1 sha256 6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d True sha256 32 64
# expect: 1 sha384 bec021b4f368e3069134e012c2b4307083d3a9bdd206e24e5f0d86e13d6636655933ec2b413465966817a9c208a11717 True sha384 48 128
# expect: 1 sha512 b8244d028981d693af7b456af8efa4cad63d282e19ff14942c246e50d9351d22704a802a71c3580b6370de4ceb293c324a8423342557d4e5c38438f0e36910ee True sha512 64 128
# expect: b'AA==' b'AA======' b'00' b'00' b'!!' b'AA=='
# expect: 3523407757 8a8dfb9656dccf21b7ea526911243b7568f432815f1cd43a42771f2db4aaa525 cf7385382566fa0d78aae26406423b5c
# expect: 2 md5 cf595bf90db7193297195e48ba82104d True md5 16 64
# expect: 2 sha1 c8d66731e39b0d3fb47ea2877a6ad8150ee145d7 True sha1 20 64
# expect: 2 sha224 298a506eb5a57079d5278ed927380458067b1b0bbccb6083fd694a2a True sha224 28 64
# expect: 2 sha256 2ecd8a6b7d2845546659ad4cf443533cf921b19dc81fa83934e83821b4dfdcb7 True sha256 32 64
# expect: 2 sha384 cf2aede9ae4f4cd5aee36c754a37c43de1a53600a4c8c4c9e26fbcabe63bef3de1a06f7d5bbcce7c77edefbee5e12b95 True sha384 48 128
# expect: 2 sha512 083c0151f931208dcb4b0134762c30d1858c6cafa40eaeb4113b69717dc286ac69a890b548b7dfb489cd3b2527903ac45236bb13af8d2c5f2f27807c6d62b6e7 True sha512 64 128
# expect: b'AAc=' b'AADQ====' b'0007' b'00#' b'!!`' b'AAc='
# expect: 3753740124 7d4e7e77960914709e9280cbd51300187460068a4672694e3b4206e880ec1ead 6a5f0108b41e97bec4e3d6a5fc84c89d
# expect: 3 md5 ed41c1aca5ad5feb033df37822dae4b7 True md5 16 64
# expect: 3 sha1 75550941124b46eb4161d17ac200c05c4fc03ce7 True sha1 20 64
# expect: 3 sha224 af2e0f6c7caab7e10f6019822333b9c0938ca6d529ce9e8a827fed72 True sha224 28 64
# expect: 3 sha256 b361d0f9a938a2bb4fbdc9c21dc5a859788041b0040919d8a811c1888184f4df True sha256 32 64
# expect: 3 sha384 429f44342877cb1dc243693a0718c1bbce18f6f923af04b9fec1989ee6b120c9a24332f13794de64853ef7e1ca638a0e True sha384 48 128
# expect: 3 sha512 9d1d055e0ac16db8b8b3b6c44692743b855129eb6b9fb9706ac623cf5c086ce4983ae494e5abeafc77a05e5e95f87c96bf8bd9434bccace808732165a43a6412 True sha512 64 128
# expect: b'AAcO' b'AADQ4===' b'00070E' b'00#~' b'!!`u' b'AAcO'
# expect: 1471701714 9c6c423586327dd0713aede38fa007d309a28f2836b56c5c0848bd62d664a883 7ad226a853849ac55f7ac4d390909221
# expect: 4 md5 ecf6132c6dc0c911eff0d6cea3c08458 True md5 16 64
# expect: 4 sha1 79acd4daa3d33209a8a283e4a1ceb35db6f3c02b True sha1 20 64
# expect: 4 sha224 ffd07a5d7c1997c849aead64c67b1bb77452edaa38a5eb1d96fb7c05 True sha224 28 64
# expect: 4 sha256 6e14590861815ebebb76e8ca460621bd0f60ea4f1550edbf32e664d30d7a04fd True sha256 32 64
# expect: 4 sha384 7e9342435630b55343ad69b37b47f3f5924f2b5a55565926a366b0fc98a3c37bf63075b15e2974de7572c72f98dafd0b True sha384 48 128
# expect: 4 sha512 7c2d177a996c62320376968821f3848a7904966177688865261adacce874a7c771f922af3d7746d3425580439141b293e5afac62a1bb66f035d7db2ea2ed5add True sha512 64 128
# expect: b'AAcOFQ==' b'AADQ4FI=' b'00070E15' b'00#~g' b'!!`uK' b'AAcOFQ=='
# expect: 3612672252 b1c9a2efc349824fa110fd1ae7f4640956c2d729718a00a62fe29d2144a3c669 1df5f06a091a62c90f4f4b0e957f5bc9
# expect: 55 md5 8d24280288a696559fd8d5aa1b6d8c6e True md5 16 64
# expect: 55 sha1 aecd1643c9903b9bae8cb94f53c50f8a4e18605b True sha1 20 64
# expect: 55 sha224 6ecff82f49df8094562037049693245e3b21be0b247c364d34191f4f True sha224 28 64
# expect: 55 sha256 576a1bf8d4478657e6dc4af9398544765c2a92cde28478b019235cfed315fc09 True sha256 32 64
# expect: 55 sha384 68a572a7629b55660e2b4403c105436ccf58c408a5a68695b16162666d5ea360ab361b631ae6683d5024cf973c0c5269 True sha384 48 128
# expect: 55 sha512 1fa86069db165162601ddc6103789cbca1fe97bc7c32de0d11a62e140f489340fc07d2664635a196fbebfb9fa976204882a1b803261b1018c257d24423553fb5 True sha512 64 128
# expect: b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tng5+71/AMKERgfJi00O0JJUFdeZWxzeg==' b'AADQ4FI4EMVDCOB7IZGVIW3CNFYHO7UFRSJZVINIV63L3RGL2LM6BZ7O6X6AGCQRDAPSMLJUHNBESUCXLZSWY432' b'00070E151C232A31383F464D545B626970777E858C939AA1A8AFB6BDC4CBD2D9E0E7EEF5FC030A11181F262D343B424950575E656C737A' b'00#~g93v_*I6p>BR9j+caCd%%jFXz7sIRuY#LLpz;OFl3`~wOR7#}7rG&@2`P*+}MY;$@' b"!!`uK*$Zpf3'Tl,<*NgGE-HbbN0B^(W3<YC`66T^i90P$qu[9<(`t(V1cn#q:fgt7Cian" b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tng5-71_AMKERgfJi00O0JJUFdeZWxzeg=='
# expect: 3578907590 184f2350243b4544f8c03be7fd00c38c253fc15945782e1c9ce6ae1550432962 f69df5872205024f4bee05a0687a8fe5
# expect: 56 md5 ef2c72b7254c92459e498eddd4ace573 True md5 16 64
# expect: 56 sha1 f5d65c621c02cc8e785159feff8088e3072da1bc True sha1 20 64
# expect: 56 sha224 dca748573ca3113fbf2f817d4b09813c4a7b1b454e3bf71a61ecfa2c True sha224 28 64
# expect: 56 sha256 9b20501dfd1d99161c257950f3444f3e49230c351c5c8e0943ef369f85f5205d True sha256 32 64
# expect: 56 sha384 7c1bb2be687d492dcd4d6edf1f9eee68829d8e348f9d812344f082c27c18c711d04a88abc1f0577203d060ff63678d5a True sha384 48 128
# expect: 56 sha512 7b6d8a5b05452e1ca1237d37573bd3847c51a2f4f8aac8b9dd4dd4d91dd69b9561cc5b499bfa23c8767e272d1cfb4132746f6ff9518de6b5dc969b4c47947e48 True sha512 64 128
# expect: b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tng5+71/AMKERgfJi00O0JJUFdeZWxzeoE=' b'AADQ4FI4EMVDCOB7IZGVIW3CNFYHO7UFRSJZVINIV63L3RGL2LM6BZ7O6X6AGCQRDAPSMLJUHNBESUCXLZSWY432QE======' b'00070E151C232A31383F464D545B626970777E858C939AA1A8AFB6BDC4CBD2D9E0E7EEF5FC030A11181F262D343B424950575E656C737A81' b'00#~g93v_*I6p>BR9j+caCd%%jFXz7sIRuY#LLpz;OFl3`~wOR7#}7rG&@2`P*+}MY;$^n' b"!!`uK*$Zpf3'Tl,<*NgGE-HbbN0B^(W3<YC`66T^i90P$qu[9<(`t(V1cn#q:fgt7CiaoR" b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tng5-71_AMKERgfJi00O0JJUFdeZWxzeoE='
# expect: 980380277 0a814646334e98a5ee5ffd0b6f6e6bf7f2eeaf5891fb2a7af1c46473112aa485 7f5a8580036405841ca5e7c44b19e0c9
# expect: 64 md5 a2fcb39a253b9b785b1f97518fa37683 True md5 16 64
# expect: 64 sha1 1e17ae1fc093e5daca033553c97a5192ca164486 True sha1 20 64
# expect: 64 sha224 caeae5157b962018f6785f4eafd92f7bae050990cd5deafe5a5c8e08 True sha224 28 64
# expect: 64 sha256 d8bc63b4fc1156e5e7d95a418b9bf54cd3174bedbc2db40f74895349b229b3c0 True sha256 32 64
# expect: 64 sha384 a1b7ea028cb6abc58ee795f43c0ae1916d41fd9dc7210dbc24b56ad78ece7493f5b3137887ba4c9ad6f51f00b2ce7a73 True sha384 48 128
# expect: 64 sha512 9f59bad22a6a8bda005caa01350372bf744703244db0aeb0446d8523012962ced1e49fd8ff703523938926a0dbbb023920b07cce073352920635bb28cad8e104 True sha512 64 128
# expect: b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tng5+71/AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyuQ==' b'AADQ4FI4EMVDCOB7IZGVIW3CNFYHO7UFRSJZVINIV63L3RGL2LM6BZ7O6X6AGCQRDAPSMLJUHNBESUCXLZSWY432QGEI7FU5USV3FOI=' b'00070E151C232A31383F464D545B626970777E858C939AA1A8AFB6BDC4CBD2D9E0E7EEF5FC030A11181F262D343B424950575E656C737A81888F969DA4ABB2B9' b'00#~g93v_*I6p>BR9j+caCd%%jFXz7sIRuY#LLpz;OFl3`~wOR7#}7rG&@2`P*+}MY;$^nh>w<?q^q*I' b"!!`uK*$Zpf3'Tl,<*NgGE-HbbN0B^(W3<YC`66T^i90P$qu[9<(`t(V1cn#q:fgt7CiaoRLl[jmUoUf3" b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tng5-71_AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyuQ=='
# expect: 3542394836 77298671dcc454ab064458f15c32bb37d918430e30d5b27273f282cd4fecc142 464779f6d359410a1406c6c031c2e2c5
# expect: 111 md5 d33e91d921631eea0d6c25fc96e10524 True md5 16 64
# expect: 111 sha1 df2f6197f2b13b38727c3317ee887f0dfae15339 True sha1 20 64
# expect: 111 sha224 33554c1cea024307316eafb8874e3f82811115a990749a4a2cb9a64e True sha224 28 64
# expect: 111 sha256 d80a22461ae74d8e6944001e255f9e47eca17702b1dc987238d78e6e1ea3e342 True sha256 32 64
# expect: 111 sha384 0e07dbe3a06921ecf592290797728554366c98285033aa79394dd6f7a39e20d5acb14eb307cb4e3dc28bb99a122c43e7 True sha384 48 128
# expect: 111 sha512 d2026b9857418e96d800f55017d1c1566c027453ff240da88f0a25558fabf5d6ffbe00bb14bc04f120af1cac53f21cb4a81765140b9249f52aaab4935079dd94 True sha512 64 128
# expect: b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tng5+71/AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyucDHztXc4+rx+P8GDRQbIikwNz5FTFNaYWhvdn2Ei5KZoKeutbzDytHY3+bt9PsC' b'AADQ4FI4EMVDCOB7IZGVIW3CNFYHO7UFRSJZVINIV63L3RGL2LM6BZ7O6X6AGCQRDAPSMLJUHNBESUCXLZSWY432QGEI7FU5USV3FOOAY7HNLXHD5LY7R7YGBUKBWIRJGA3T4RKMKNNGC2DPOZ6YJC4STGQKPLVVXTB4VUOY37TO35H3AI======' b'00070E151C232A31383F464D545B626970777E858C939AA1A8AFB6BDC4CBD2D9E0E7EEF5FC030A11181F262D343B424950575E656C737A81888F969DA4ABB2B9C0C7CED5DCE3EAF1F8FF060D141B222930373E454C535A61686F767D848B9299A0A7AEB5BCC3CAD1D8DFE6EDF4FB02' b'00#~g93v_*I6p>BR9j+caCd%%jFXz7sIRuY#LLpz;OFl3`~wOR7#}7rG&@2`P*+}MY;$^nh>w<?q^q*Iz{k$j+~ex;`2PkC6dNKbFgHF$OjBB6Xm56Xgo~1ypr@|2yu-@T*x%;u^!ow' b'!!`uK*$Zpf3\'Tl,<*NgGE-HbbN0B^(W3<YC`66T^i90P$qu[9<(`t(V1cn#q:fgt7CiaoRLl[jmUoUf3^rOaNguI\\iq#:O-\'H85F0K20a9N,,\'BQ&\'BKSu"]TVns#]Yhn>f\\biYo_S[' b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tng5-71_AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyucDHztXc4-rx-P8GDRQbIikwNz5FTFNaYWhvdn2Ei5KZoKeutbzDytHY3-bt9PsC'
# expect: 630444445 dc5bf25d114708e5033035a85c7118d9d70e0e6d9b7191790f73d485b84828ad 06638c26d71c05e6a89e7e9b2fbb5ee3
# expect: 112 md5 ac43942f2f342010747a0de1fe3cf15b True md5 16 64
# expect: 112 sha1 fe6021ce28099e49dbe7eaf995feac7848f25a48 True sha1 20 64
# expect: 112 sha224 35ae798b662ddf6cd27958977ac5d610842536c656e158869a8b4b46 True sha224 28 64
# expect: 112 sha256 a4ecd1e6c38e9d976d0cef32d899be35eb83c98d46b4dbfd68a1560f83b786a2 True sha256 32 64
# expect: 112 sha384 44716227fafa9d5b225200d1ac73a37c574dd7a890433be121e7aa2143a921a7282a49053bb5a921c2d11d89efe44e63 True sha384 48 128
# expect: 112 sha512 4dc754b8985c03b8015b1efd61af5c05828b6d07eecda8d90dd5863f7704bd375905932f2fbdeb4ee1b754a7778e4a0327e7d75b71ae95d1f619136e27564467 True sha512 64 128
# expect: b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tng5+71/AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyucDHztXc4+rx+P8GDRQbIikwNz5FTFNaYWhvdn2Ei5KZoKeutbzDytHY3+bt9PsCCQ==' b'AADQ4FI4EMVDCOB7IZGVIW3CNFYHO7UFRSJZVINIV63L3RGL2LM6BZ7O6X6AGCQRDAPSMLJUHNBESUCXLZSWY432QGEI7FU5USV3FOOAY7HNLXHD5LY7R7YGBUKBWIRJGA3T4RKMKNNGC2DPOZ6YJC4STGQKPLVVXTB4VUOY37TO35H3AIEQ====' b'00070E151C232A31383F464D545B626970777E858C939AA1A8AFB6BDC4CBD2D9E0E7EEF5FC030A11181F262D343B424950575E656C737A81888F969DA4ABB2B9C0C7CED5DCE3EAF1F8FF060D141B222930373E454C535A61686F767D848B9299A0A7AEB5BCC3CAD1D8DFE6EDF4FB0209' b'00#~g93v_*I6p>BR9j+caCd%%jFXz7sIRuY#LLpz;OFl3`~wOR7#}7rG&@2`P*+}MY;$^nh>w<?q^q*Iz{k$j+~ex;`2PkC6dNKbFgHF$OjBB6Xm56Xgo~1ypr@|2yu-@T*x%;u^!ow{' b'!!`uK*$Zpf3\'Tl,<*NgGE-HbbN0B^(W3<YC`66T^i90P$qu[9<(`t(V1cn#q:fgt7CiaoRLl[jmUoUf3^rOaNguI\\iq#:O-\'H85F0K20a9N,,\'BQ&\'BKSu"]TVns#]Yhn>f\\biYo_S[r' b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tng5-71_AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyucDHztXc4-rx-P8GDRQbIikwNz5FTFNaYWhvdn2Ei5KZoKeutbzDytHY3-bt9PsCCQ=='
# expect: 625289985 aeece2201fc417802d52ec04d6a227b263252a4c2f1b7c15e28123d1141364ed aff0de6d1fe4181c9e5b0581bcef228c
# expect: 129 md5 5440862a8e750d1cdfae71ecbf0a4fe7 True md5 16 64
# expect: 129 sha1 a6e7c0b71257b5d5c4f15a05f915368ac52580b3 True sha1 20 64
# expect: 129 sha224 5c58ec2d29a2312e17878557e3db151569d2d45553bf1b7427797adb True sha224 28 64
# expect: 129 sha256 5b55715b51c54661ed0cbd75ba5b00cf1ffee3b7c113a636eca613d9425116a6 True sha256 32 64
# expect: 129 sha384 f5f939753928417c37260b111eddf10fdd6e2891b0f97d7c15906d05e5ab82038ec4810a23ab9d0acb21cca85eef26bc True sha384 48 128
# expect: 129 sha512 cdc5b3e2f22ed03935760389c88672f8b3c867503aff012d5f9653e426c9b530e091356459108edadc8e09a444a50415b30d38f9d75cb8c456fec0ae3ca6901f True sha512 64 128
# expect: b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tng5+71/AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyucDHztXc4+rx+P8GDRQbIikwNz5FTFNaYWhvdn2Ei5KZoKeutbzDytHY3+bt9PsCCRAXHiUsMzpBSE9WXWRrcnmA' b'AADQ4FI4EMVDCOB7IZGVIW3CNFYHO7UFRSJZVINIV63L3RGL2LM6BZ7O6X6AGCQRDAPSMLJUHNBESUCXLZSWY432QGEI7FU5USV3FOOAY7HNLXHD5LY7R7YGBUKBWIRJGA3T4RKMKNNGC2DPOZ6YJC4STGQKPLVVXTB4VUOY37TO35H3AIERAFY6EUWDGOSBJBHVMXLENNZHTAA=' b'00070E151C232A31383F464D545B626970777E858C939AA1A8AFB6BDC4CBD2D9E0E7EEF5FC030A11181F262D343B424950575E656C737A81888F969DA4ABB2B9C0C7CED5DCE3EAF1F8FF060D141B222930373E454C535A61686F767D848B9299A0A7AEB5BCC3CAD1D8DFE6EDF4FB020910171E252C333A41484F565D646B727980' b'00#~g93v_*I6p>BR9j+caCd%%jFXz7sIRuY#LLpz;OFl3`~wOR7#}7rG&@2`P*+}MY;$^nh>w<?q^q*Iz{k$j+~ex;`2PkC6dNKbFgHF$OjBB6Xm56Xgo~1ypr@|2yu-@T*x%;u^!ow{5EmXLEHgSmNKaN>WNUJHfB' b'!!`uK*$Zpf3\'Tl,<*NgGE-HbbN0B^(W3<YC`66T^i90P$qu[9<(`t(V1cn#q:fgt7CiaoRLl[jmUoUf3^rOaNguI\\iq#:O-\'H85F0K20a9N,,\'BQ&\'BKSu"]TVns#]Yhn>f\\biYo_S[r&/QB6/2K=Q85E8lA8?42J,' b'AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tng5-71_AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyucDHztXc4-rx-P8GDRQbIikwNz5FTFNaYWhvdn2Ei5KZoKeutbzDytHY3-bt9PsCCRAXHiUsMzpBSE9WXWRrcnmA'
# expect: 264696908 f7aaf63936f9815cf9629ee27998688cf214aa52e2c21e2cdde7b44334070ef6 bbfeed12342c86636147155f25a4a90e
for bad in ("a", "ab", "abc", "abcd=", "ab=c", "ab==cd", "a===", "====", "ab\ncd", "ab c=", "é", "abcde", "=abc", "ab=", "abc=d"):
    for v in (False, True):
        try:
            print(bad, v, base64.b64decode(bad, validate=v))
        except Exception as e:
            print(bad, v, type(e).__name__, e)
# expect: a False Error Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4
# expect: a True Error Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4
# expect: ab False Error Incorrect padding
# expect: ab True Error Incorrect padding
# expect: abc False Error Incorrect padding
# expect: abc True Error Incorrect padding
# expect: abcd= False b'i\xb7\x1d'
# expect: abcd= True b'i\xb7\x1d'
# expect: ab=c False Error Incorrect padding
# expect: ab=c True Error Discontinuous padding not allowed
# expect: ab==cd False b'i'
# expect: ab==cd True Error Excess data after padding
# expect: a=== False Error Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4
# expect: a=== True Error Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4
# expect: ==== False b''
# expect: ==== True Error Leading padding not allowed
# expect: ab
# expect: cd False b'i\xb7\x1d'
# expect: ab
# expect: cd True Error Only base64 data is allowed
# expect: ab c= False b'i\xb7'
# expect: ab c= True Error Only base64 data is allowed
# expect: é False ValueError string argument should contain only ASCII characters
# expect: é True ValueError string argument should contain only ASCII characters
# expect: abcde False Error Invalid base64-encoded string: number of data characters (5) cannot be 1 more than a multiple of 4
# expect: abcde True Error Invalid base64-encoded string: number of data characters (5) cannot be 1 more than a multiple of 4
# expect: =abc False Error Incorrect padding
# expect: =abc True Error Leading padding not allowed
# expect: ab= False Error Incorrect padding
# expect: ab= True Error Incorrect padding
# expect: abc=d False b'i\xb7'
# expect: abc=d True Error Excess data after padding
for f, a in ((binascii.unhexlify, "abc"), (binascii.unhexlify, "zz"), (base64.b32decode, "abc"), (base64.b32decode, "aaaaaaaa"), (base64.b85decode, "\x7f"), (base64.b64encode, "text"), (hashlib.md5, "text"), (base64.b16decode, "ab"),(hashlib.sha256, 3)):
    try: print(f(a))
    except Exception as e: print(type(e).__name__, e)
# expect: Error Odd-length string
# expect: Error Non-hexadecimal digit found
# expect: Error Incorrect padding
# expect: Error Non-base32 digit found
# expect: ValueError bad base85 character at position 0
# expect: TypeError a bytes-like object is required, not 'str'
# expect: TypeError Strings must be encoded before hashing
# expect: Error Non-base16 digit found
# expect: TypeError object supporting the buffer API required
