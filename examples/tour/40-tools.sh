# SPDX-License-Identifier: MIT
# The few tools that fit a request, out of many

cat >tools.jsonl <<'END'
{"name": "mail_send", "description": "Send an e-mail message to someone"}
{"name": "mail_search", "description": "Find messages in the mailbox"}
{"name": "calendar_create_event", "description": "Put a meeting into the calendar"}
{"name": "weather_forecast", "description": "The weather of the coming days at a place"}
{"name": "github_create_issue", "description": "Open an issue in a repository"}
END
cordon tools search --corpus tools.jsonl -k 2 'will it rain tomorrow in Oslo?'
