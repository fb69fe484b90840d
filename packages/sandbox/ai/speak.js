import { text } from 'node:stream/consumers'
import ESpeakNg from 'espeak-ng'

/**
 * Speaks what comes on standard input, by the voice that its argument names, and writes that to standard output as WAV: 16
 * bits, mono. A program of its own, so that nothing waits while it speaks, and it can be stopped.
 *
 * Ends with 3 when there is no such voice.
 */
const [voice = ''] = process.argv.slice(2)
const given = await text(process.stdin)
const { FS } = await ESpeakNg({
  arguments: ['-v', voice, '-b', '1', '-w', 'speech.wav', '-f', 'text.txt'],
  preRun: (program) => program.FS.writeFile('text.txt', given),
  // Each run ends with a remark about the runtime.
  printErr: () => {},
})
const isSpoken = FS.analyzePath('speech.wav').exists
process.exitCode = isSpoken ? 0 : 3
if (isSpoken) process.stdout.write(FS.readFile('speech.wav'))
