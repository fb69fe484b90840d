import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { chdir } from 'node:process'
import { compile } from './build.js'

/*
 * npm test: compiles the tests and hands them to tap. `npm test -- api.test.ts --jobs=1` runs one file; what is no test
 * file is an option for tap, or the value of one.
 */
chdir(import.meta.dirname)

const given = process.argv.slice(2)
const isTest = (name) => name.endsWith('.test.ts')
const named = given.filter(isTest)
const files = await compile(named.length > 0 ? named : readdirSync('.').filter(isTest))

const tap = spawn('tap', [...given.filter((argument) => !isTest(argument)), ...files], { stdio: 'inherit' })
// Meant for tap, which has it as well, and says how far it came.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
tap.on('exit', (code) => (process.exitCode = code ?? 1))
