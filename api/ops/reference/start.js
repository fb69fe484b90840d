/*
 * Runs in the browser, at /docs: shows the document of the server that the page came from, under whatever name it is reached.
 */
const at = (path) => new URL(path, document.baseURI).href

const dark = matchMedia('(prefers-color-scheme: dark)')
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', dress)
dress()

const answer = await fetch(at('v1/openapi.json'))
const spec = await answer.json()

window.SwaggerUIBundle({
  spec: { ...spec, servers: [{ url: at('v1'), description: 'This server' }] },
  domNode: document.getElementById('reference'),
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  // An entered key is discarded with the page.
  persistAuthorization: false,
  // No requests to other hosts.
  validatorUrl: null,
})
