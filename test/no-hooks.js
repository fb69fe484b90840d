import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import processOnSpawn from 'process-on-spawn'

/*
 * Loaded before tap, because two of its hooks cost a third of the CPU time of all tests. Every process that a test starts would
 * load tap's module hooks, whose results nobody reads, and take twice its own CPU time to start. And every promise would be
 * followed, to say in which test an error was thrown that nobody caught. Such an error now ends the process, and so fails the run.
 */
processOnSpawn.removeAllListeners()
asyncHooks.createHook = () => ({ enable: () => undefined, disable: () => undefined })
syncBuiltinESMExports()
