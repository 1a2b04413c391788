;; SPDX-License-Identifier: MIT
;; One module for the tests of tier wasm. Its first argument's first letter
;; says what to do; a WASI error becomes the exit status.
(module
  (type $code (func))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_get" (func $args (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $env_sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_get" (func $env (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_pread" (func $pread (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_seek" (func $seek (param i32 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_readdir" (func $readdir (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_prestat_get" (func $prestat (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_prestat_dir_name" (func $prestat_name (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_filestat_get" (func $stat (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_create_directory" (func $mkdir (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_remove_directory" (func $rmdir (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_unlink_file" (func $unlink (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_rename" (func $rename (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_symlink" (func $symlink (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "sock_shutdown" (func $shutdown (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 2)
  (table funcref (elem $spin $flood))

  ;; 0: iovec, 8: count, 16: results; 1024: pointers, 4096: text, 65536: data
  (func $check (param $error i32)
    (if (local.get $error) (then (call $exit (local.get $error)))))
  (func $print (param $at i32) (param $n i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $n))
    (call $check (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $arg (param $i i32) (result i32)
    (i32.load (i32.add (i32.const 1024) (i32.mul (local.get $i) (i32.const 4)))))
  (func $len (param $at i32) (result i32)
    (local $n i32)
    (block $done (loop $next
      (br_if $done (i32.eqz (i32.load8_u (i32.add (local.get $at) (local.get $n)))))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br $next)))
    (local.get $n))
  (func $open_arg (param $oflags i32) (param $rights i64) (result i32)
    (call $check (call $open (i32.const 4) (i32.const 1)
      (call $arg (i32.const 2)) (call $len (call $arg (i32.const 2)))
      (local.get $oflags) (local.get $rights) (i64.const 0) (i32.const 0) (i32.const 16)))
    (i32.load (i32.const 16)))
  (func $spin (loop $again (br $again)))
  (func $flood (loop $again (call $print (i32.const 65536) (i32.const 60000)) (br $again)))
  (func $deep (param i32) (result i32)
    (i32.add (call $deep (i32.add (local.get 0) (i32.const 1))) (i32.const 1)))
  (func $grow (result i32)
    (local $n i32)
    (block $done (loop $next
      (br_if $done (i32.eq (memory.grow (i32.const 16)) (i32.const -1)))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br $next)))
    (local.get $n))

  (func $do (param $what i32)
    (local $fd i32)
    (if (i32.eq (local.get $what) (i32.const 97)) (then ;; a: arguments
      (call $print (i32.const 4096) (i32.load (i32.const 20)))))
    (if (i32.eq (local.get $what) (i32.const 101)) (then ;; e: environment
      (call $check (call $env_sizes (i32.const 24) (i32.const 28)))
      (call $check (call $env (i32.const 2048) (i32.const 65536)))
      (call $print (i32.const 65536) (i32.load (i32.const 28)))))
    (if (i32.eq (local.get $what) (i32.const 114)) (then ;; r: read a file
      (local.set $fd (call $open_arg (i32.const 0) (i64.const 2)))
      (i32.store (i32.const 0) (i32.const 65536))
      (i32.store (i32.const 4) (i32.const 60000))
      (call $check (call $read (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8)))
      (call $print (i32.const 65536) (i32.load (i32.const 8)))
      (call $check (call $seek (local.get $fd) (i64.const 1) (i32.const 0) (i32.const 16)))
      (i32.store (i32.const 4) (i32.const 2))
      (call $check (call $pread (local.get $fd) (i32.const 0) (i32.const 1) (i64.const 1) (i32.const 8)))
      (call $print (i32.const 65536) (i32.load (i32.const 8)))
      (call $check (call $close (local.get $fd)))
      (call $exit (i32.sub (call $close (local.get $fd)) (i32.const 8)))))
    (if (i32.eq (local.get $what) (i32.const 119)) (then ;; w: write "file" to it
      (local.set $fd (call $open_arg (i32.const 9) (i64.const 64)))
      (i32.store (i32.const 0) (call $arg (i32.const 3)))
      (i32.store (i32.const 4) (call $len (call $arg (i32.const 3))))
      (call $check (call $write (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8)))))
    (if (i32.eq (local.get $what) (i32.const 83)) (then ;; S: size of a file
      (call $check (call $stat (i32.const 4) (i32.const 0)
        (call $arg (i32.const 2)) (call $len (call $arg (i32.const 2))) (i32.const 128)))
      (call $exit (i32.wrap_i64 (i64.load (i32.const 160))))))
    (if (i32.eq (local.get $what) (i32.const 109)) (then ;; m: mkdir
      (call $exit (call $mkdir (i32.const 4) (call $arg (i32.const 2)) (call $len (call $arg (i32.const 2)))))))
    (if (i32.eq (local.get $what) (i32.const 77)) (then ;; M: rmdir
      (call $exit (call $rmdir (i32.const 4) (call $arg (i32.const 2)) (call $len (call $arg (i32.const 2)))))))
    (if (i32.eq (local.get $what) (i32.const 120)) (then ;; x: unlink
      (call $exit (call $unlink (i32.const 4) (call $arg (i32.const 2)) (call $len (call $arg (i32.const 2)))))))
    (if (i32.eq (local.get $what) (i32.const 110)) (then ;; n: rename
      (call $exit (call $rename
        (i32.const 4) (call $arg (i32.const 2)) (call $len (call $arg (i32.const 2)))
        (i32.const 4) (call $arg (i32.const 3)) (call $len (call $arg (i32.const 3)))))))
    (if (i32.eq (local.get $what) (i32.const 107)) (then ;; k: symlink to, name
      (call $exit (call $symlink (call $arg (i32.const 2)) (call $len (call $arg (i32.const 2)))
        (i32.const 4) (call $arg (i32.const 3)) (call $len (call $arg (i32.const 3)))))))
    (if (i32.eq (local.get $what) (i32.const 113)) (then ;; q: the directory
      (call $check (call $readdir (i32.const 4) (i32.const 65536) (i32.const 8192) (i64.const 0) (i32.const 8)))
      (call $print (i32.const 65536) (i32.load (i32.const 8)))))
    (if (i32.eq (local.get $what) (i32.const 118)) (then ;; v: names of preopens
      (local.set $fd (i32.const 3))
      (loop $next
        (if (i32.eqz (call $prestat (local.get $fd) (i32.const 16))) (then
          (call $check (call $prestat_name (local.get $fd) (i32.const 65536) (i32.load (i32.const 20))))
          (call $print (i32.const 65536) (i32.load (i32.const 20)))
          (local.set $fd (i32.add (local.get $fd) (i32.const 1)))
          (br $next))))))
    (if (i32.eq (local.get $what) (i32.const 116)) (then ;; t: time and chance
      (call $check (call $clock (i32.const 0) (i64.const 1) (i32.const 65536)))
      (call $check (call $random (i32.const 65544) (i32.const 16)))
      (call $print (i32.const 65536) (i32.const 24))))
    (if (i32.eq (local.get $what) (i32.const 112)) (then ;; p: wait 30 ms
      (i64.store (i32.const 224) (i64.const 30000000))
      (i32.store (i32.const 216) (i32.const 1))
      (call $check (call $poll (i32.const 200) (i32.const 300) (i32.const 1) (i32.const 8)))
      (call $exit (i32.load (i32.const 8)))))
    (if (i32.eq (local.get $what) (i32.const 103)) (then ;; g: all the memory
      (call $exit (call $grow))))
    (if (i32.eq (local.get $what) (i32.const 108)) (then (call_indirect (type $code) (i32.const 0))))
    (if (i32.eq (local.get $what) (i32.const 111)) (then (call_indirect (type $code) (i32.const 1))))
    (if (i32.eq (local.get $what) (i32.const 105)) (then (call_indirect (type $code) (i32.const 9))))
    (if (i32.eq (local.get $what) (i32.const 117)) (then (unreachable)))
    (if (i32.eq (local.get $what) (i32.const 98)) (then ;; b: beyond the memory
      (drop (i32.load (i32.const 0xfffffff0)))))
    (if (i32.eq (local.get $what) (i32.const 66)) (then ;; B: WASI told to write there
      (call $exit (call $random (i32.const 0xfffffff0) (i32.const 32)))))
    (if (i32.eq (local.get $what) (i32.const 100)) (then ;; d: divide by zero
      (drop (i32.div_u (i32.const 1) (i32.load (i32.const 900))))))
    (if (i32.eq (local.get $what) (i32.const 115)) (then ;; s: too deep
      (drop (call $deep (i32.const 0)))))
    (if (i32.eq (local.get $what) (i32.const 122)) (then ;; z: a socket
      (call $exit (call $shutdown (i32.const 1) (i32.const 2))))))

  (func (export "_start")
    (call $check (call $args_sizes (i32.const 16) (i32.const 20)))
    (call $check (call $args (i32.const 1024) (i32.const 4096)))
    (call $do (i32.load8_u (call $arg (i32.const 1))))))
