# Modules by their old names.
import json, asyncio
try: json.loads('{')
except json.decoder.JSONDecodeError as e: print(e)
from json.decoder import JSONDecodeError
import json.encoder
print(JSONDecodeError is json.JSONDecodeError, json.encoder.JSONEncoder is json.JSONEncoder, issubclass(asyncio.exceptions.CancelledError, BaseException), asyncio.TimeoutError is TimeoutError)
try: [3,1].sort(5)
except TypeError as e: print(e)
# expect: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)
# expect: True True True True
# expect: sort() takes no positional arguments
