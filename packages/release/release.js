import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { read, ROOT } from './write-package.js'

const HELP = `npm run release -- <version> [--dry-run]

Makes a release of the commit that is checked out: the changelog's section and the version in a commit, a tag with the
notes, the golden log of the version, and in dist/ the npm packages and the list of all packages inside (SBOM). Nothing
leaves this machine; the last lines say what to push and publish, and how to undo it.

  --dry-run   only check that it could be made, and print the notes
  --help
`
const MANIFESTS = ['docs/kubernetes/one.yaml', 'docs/kubernetes/roles.yaml']
const WRITTEN = ['CHANGELOG.md', 'package.json', 'package-lock.json', 'test/golden', ...MANIFESTS]
const UNRELEASED = '## [Unreleased]'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
})
if (values.help) stdout.write(HELP)
else release(positionals[0] ?? '')

function release(version) {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const notes = notesIn(changelog)
  const problems = problemsOf(version, notes)
  if (problems.length > 0) {
    stderr.write(`${problems.join('\n')}\n`)
    process.exit(2)
  }
  if (values['dry-run']) return stdout.write(`${version} can be released. Its notes:\n\n${notes}\n`)
  const before = run('git', 'rev-parse', 'HEAD')
  try {
    make(version, changelog, notes)
  } catch (error) {
    // Nothing else was changed: that has been checked.
    run('git', 'reset', '--quiet', '--hard', before)
    run('git', 'clean', '--quiet', '--force', 'test/golden')
    throw error
  }
  stdout.write(`
Push and publish:
  git push --follow-tags
  npm publish dist/fanfare-${version}.tgz
  npm publish dist/fanfare-client-${version}.tgz
  docker build -t fanfare:${version} .
Undo:
  git tag --delete v${version} && git reset --hard HEAD~1
`)
}

function notesIn(changelog) {
  const [, section = ''] = changelog.split(`${UNRELEASED}\n`)
  return section.split(/^## /m)[0].trim()
}

function problemsOf(version, notes) {
  const { version: before } = read('package.json')
  return [
    /^\d+\.\d+\.\d+$/.test(version) ? '' : `"${version}" is not a version such as 1.0.0.`,
    isAfter(version, before) ? '' : `${version} is not after ${before}.`,
    notes === '' ? `CHANGELOG.md has nothing under ${UNRELEASED}.` : '',
    run('git', 'status', '--porcelain') === '' ? '' : 'There are uncommitted changes.',
    run('git', 'tag', '--list', `v${version}`) === '' ? '' : `The tag v${version} exists.`,
  ].filter((problem) => problem !== '')
}

function isAfter(version, before) {
  return version.localeCompare(before, 'en', { numeric: true }) > 0
}

function make(version, changelog, notes) {
  const today = new Date().toISOString().slice(0, 10)
  const released = changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${today}`)
  writeFileSync(join(ROOT, 'CHANGELOG.md'), released)
  for (const path of MANIFESTS) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    writeFileSync(join(ROOT, path), text.replaceAll(/image: fanfare:\S+/g, `image: fanfare:${version}`))
  }
  run('npm', 'version', version, '--no-git-tag-version', '--workspaces-update=false')
  run('npm', 'run', '--silent', 'golden', '--', '--release', version)
  stdout.write(`${run('npm', 'run', '--silent', 'package')}\n`)
  stdout.write(`${run('npm', 'run', '--silent', 'package:client')}\n`)
  const sbom = run('npm', 'sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx')
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(join(ROOT, `dist/fanfare-${version}.cdx.json`), sbom)
  run('git', 'add', ...WRITTEN)
  run('git', 'commit', '--quiet', '--message', `Release ${version}`)
  // Headings of the notes are no comments.
  run('git', 'tag', '--annotate', '--cleanup=whitespace', `v${version}`, '--message', `${version}\n\n${notes}`)
}

function run(command, ...args) {
  return execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trimEnd()
}
