/* SPDX-License-Identifier: MIT
 *
 * oci -- the same task on an OCI runtime that is installed.
 *
 * Writes a bundle (config.json and a root directory) for a cage and drives
 * crun, runc, youki or kata-runtime, or for tier gvisor runsc. What the
 * runtime does with it is the runtime's promise; the layers a result lists are
 * those the bundle asked for.
 */
#ifndef CORDON_SANDBOX_OCI_H
#define CORDON_SANDBOX_OCI_H

#include "sandbox/start.h"

struct oci {
    char runtime[256]; /* path of the program */
    char dir[64];      /* the bundle; "" when there is none */
    char id[48];
};

/* The first runtime for the tier that is in PATH and can work here. */
int oci_find(enum cage_tier tier, struct oci *out, struct err *e);

/* The layers the bundle asks for: an ordinary user without cgroups may agree
 * to do without limits. */
uint32_t oci_layers(const struct cage *c);

/* The text of config.json. */
int oci_config(const struct cage *c, uint32_t outside, struct buf *out,
               struct err *e);

/* The runtime runs in the foreground: its end is the task's. */
int oci_start(const struct cage *c, const int std[3], struct oci *oci,
              struct started *out, struct err *e);

/* Kills what may still run and removes the bundle. */
void oci_stop(struct oci *oci);

#endif
