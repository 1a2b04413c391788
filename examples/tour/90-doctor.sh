# SPDX-License-Identifier: MIT
# What this machine offers

cordon --version

cordon doctor || true
