# SPDX-License-Identifier: MIT
# tour: JSON, strictly read
echo '{"id": 9007199254740993, "tags": ["a", "b"]}' >call.json
cordon json fmt call.json
cordon json fmt --canonical call.json && echo
echo '{"id": 1, "id": 2}' | cordon json fmt || echo "exit status $?"
