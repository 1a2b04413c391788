/* SPDX-License-Identifier: MIT
 *
 * sysnum -- numbers of system calls that the installed headers may lack.
 *
 * Calls newer than the headers have one number on every architecture. Calls
 * that only old architectures have get SYS_NOT_HERE elsewhere.
 */
#ifndef CORDON_SANDBOX_SYSNUM_H
#define CORDON_SANDBOX_SYSNUM_H

#include <sys/syscall.h>

#define SYS_NOT_HERE (-1)

#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef __NR_map_shadow_stack
#define __NR_map_shadow_stack 453
#endif
#ifndef __NR_futex_wake
#define __NR_futex_wake 454
#endif
#ifndef __NR_futex_wait
#define __NR_futex_wait 455
#endif
#ifndef __NR_futex_requeue
#define __NR_futex_requeue 456
#endif
#ifndef __NR_statmount
#define __NR_statmount 457
#endif
#ifndef __NR_listmount
#define __NR_listmount 458
#endif
#ifndef __NR_lsm_get_self_attr
#define __NR_lsm_get_self_attr 459
#endif
#ifndef __NR_lsm_set_self_attr
#define __NR_lsm_set_self_attr 460
#endif
#ifndef __NR_lsm_list_modules
#define __NR_lsm_list_modules 461
#endif
#ifndef __NR_mseal
#define __NR_mseal 462
#endif
#ifndef __NR_setxattrat
#define __NR_setxattrat 463
#endif
#ifndef __NR_getxattrat
#define __NR_getxattrat 464
#endif
#ifndef __NR_listxattrat
#define __NR_listxattrat 465
#endif
#ifndef __NR_removexattrat
#define __NR_removexattrat 466
#endif
#ifndef __NR_open_tree_attr
#define __NR_open_tree_attr 467
#endif
#ifndef __NR_file_getattr
#define __NR_file_getattr 468
#endif
#ifndef __NR_file_setattr
#define __NR_file_setattr 469
#endif

#ifndef __NR_open
#define __NR_open SYS_NOT_HERE
#endif
#ifndef __NR_stat
#define __NR_stat SYS_NOT_HERE
#endif
#ifndef __NR_lstat
#define __NR_lstat SYS_NOT_HERE
#endif
#ifndef __NR_poll
#define __NR_poll SYS_NOT_HERE
#endif
#ifndef __NR_access
#define __NR_access SYS_NOT_HERE
#endif
#ifndef __NR_pipe
#define __NR_pipe SYS_NOT_HERE
#endif
#ifndef __NR_select
#define __NR_select SYS_NOT_HERE
#endif
#ifndef __NR_dup2
#define __NR_dup2 SYS_NOT_HERE
#endif
#ifndef __NR_pause
#define __NR_pause SYS_NOT_HERE
#endif
#ifndef __NR_alarm
#define __NR_alarm SYS_NOT_HERE
#endif
#ifndef __NR_fork
#define __NR_fork SYS_NOT_HERE
#endif
#ifndef __NR_vfork
#define __NR_vfork SYS_NOT_HERE
#endif
#ifndef __NR_getdents
#define __NR_getdents SYS_NOT_HERE
#endif
#ifndef __NR_rename
#define __NR_rename SYS_NOT_HERE
#endif
#ifndef __NR_mkdir
#define __NR_mkdir SYS_NOT_HERE
#endif
#ifndef __NR_rmdir
#define __NR_rmdir SYS_NOT_HERE
#endif
#ifndef __NR_creat
#define __NR_creat SYS_NOT_HERE
#endif
#ifndef __NR_link
#define __NR_link SYS_NOT_HERE
#endif
#ifndef __NR_unlink
#define __NR_unlink SYS_NOT_HERE
#endif
#ifndef __NR_symlink
#define __NR_symlink SYS_NOT_HERE
#endif
#ifndef __NR_readlink
#define __NR_readlink SYS_NOT_HERE
#endif
#ifndef __NR_chmod
#define __NR_chmod SYS_NOT_HERE
#endif
#ifndef __NR_chown
#define __NR_chown SYS_NOT_HERE
#endif
#ifndef __NR_lchown
#define __NR_lchown SYS_NOT_HERE
#endif
#ifndef __NR_getpgrp
#define __NR_getpgrp SYS_NOT_HERE
#endif
#ifndef __NR_utime
#define __NR_utime SYS_NOT_HERE
#endif
#ifndef __NR_mknod
#define __NR_mknod SYS_NOT_HERE
#endif
#ifndef __NR_uselib
#define __NR_uselib SYS_NOT_HERE
#endif
#ifndef __NR_ustat
#define __NR_ustat SYS_NOT_HERE
#endif
#ifndef __NR_sysfs
#define __NR_sysfs SYS_NOT_HERE
#endif
#ifndef __NR_modify_ldt
#define __NR_modify_ldt SYS_NOT_HERE
#endif
#ifndef __NR__sysctl
#define __NR__sysctl SYS_NOT_HERE
#endif
#ifndef __NR_arch_prctl
#define __NR_arch_prctl SYS_NOT_HERE
#endif
#ifndef __NR_iopl
#define __NR_iopl SYS_NOT_HERE
#endif
#ifndef __NR_ioperm
#define __NR_ioperm SYS_NOT_HERE
#endif
#ifndef __NR_create_module
#define __NR_create_module SYS_NOT_HERE
#endif
#ifndef __NR_get_kernel_syms
#define __NR_get_kernel_syms SYS_NOT_HERE
#endif
#ifndef __NR_query_module
#define __NR_query_module SYS_NOT_HERE
#endif
#ifndef __NR_getpmsg
#define __NR_getpmsg SYS_NOT_HERE
#endif
#ifndef __NR_putpmsg
#define __NR_putpmsg SYS_NOT_HERE
#endif
#ifndef __NR_afs_syscall
#define __NR_afs_syscall SYS_NOT_HERE
#endif
#ifndef __NR_tuxcall
#define __NR_tuxcall SYS_NOT_HERE
#endif
#ifndef __NR_security
#define __NR_security SYS_NOT_HERE
#endif
#ifndef __NR_time
#define __NR_time SYS_NOT_HERE
#endif
#ifndef __NR_set_thread_area
#define __NR_set_thread_area SYS_NOT_HERE
#endif
#ifndef __NR_get_thread_area
#define __NR_get_thread_area SYS_NOT_HERE
#endif
#ifndef __NR_epoll_create
#define __NR_epoll_create SYS_NOT_HERE
#endif
#ifndef __NR_epoll_ctl_old
#define __NR_epoll_ctl_old SYS_NOT_HERE
#endif
#ifndef __NR_epoll_wait_old
#define __NR_epoll_wait_old SYS_NOT_HERE
#endif
#ifndef __NR_epoll_wait
#define __NR_epoll_wait SYS_NOT_HERE
#endif
#ifndef __NR_utimes
#define __NR_utimes SYS_NOT_HERE
#endif
#ifndef __NR_vserver
#define __NR_vserver SYS_NOT_HERE
#endif
#ifndef __NR_inotify_init
#define __NR_inotify_init SYS_NOT_HERE
#endif
#ifndef __NR_futimesat
#define __NR_futimesat SYS_NOT_HERE
#endif
#ifndef __NR_signalfd
#define __NR_signalfd SYS_NOT_HERE
#endif
#ifndef __NR_eventfd
#define __NR_eventfd SYS_NOT_HERE
#endif
#ifndef __NR_name_to_handle_at
#define __NR_name_to_handle_at SYS_NOT_HERE
#endif
#ifndef __NR_open_by_handle_at
#define __NR_open_by_handle_at SYS_NOT_HERE
#endif

#endif
