# json.decoder: by its old name.
from json import JSONDecodeError, JSONDecoder
