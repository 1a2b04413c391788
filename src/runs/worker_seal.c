/* SPDX-License-Identifier: MIT */
#include "runs/worker.h"
#include "vm/session.h"

const struct worker_sealing worker_sealing = {session_seal, session_open};
