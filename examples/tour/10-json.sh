# SPDX-License-Identifier: MIT
# JSON, strictly read: large integers are exact, repeated keys are errors

echo '{"id": 9007199254740993, "tags": ["a", "b"]}' | cordon json fmt

echo '{"id": 1, "id": 2}' | cordon json fmt || echo "exit status $?"

echo '{"properties": {"age": {"type": "integer", "minimum": 0}}}' >schema.json
echo '{"age": -1}' | cordon json validate schema.json || echo "exit status $?"
