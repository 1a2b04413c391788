# SPDX-License-Identifier: MIT
# tour: what this machine offers
cordon --version
cordon doctor || true
