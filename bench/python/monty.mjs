// monty.mjs FILE: runs a program in Monty, in process; prints its CPU seconds.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
const require = createRequire(process.env.NODE_PATH + '/')
const { Monty } = require('@pydantic/monty')
const code = readFileSync(process.argv[2], 'utf8')
const before = process.cpuUsage()
new Monty(code).run()
const { user, system } = process.cpuUsage(before)
console.error((user + system) / 1e6)
