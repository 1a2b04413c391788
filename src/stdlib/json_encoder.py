# json.encoder: by its old name.
from json import JSONEncoder
