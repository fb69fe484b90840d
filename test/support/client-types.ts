import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { publishedDocument } from './document.ts'

const HEAD = `/**
 * The API's paths and schemas, made of the OpenAPI document by \`npm run client\`: types alone, for a client such as
 * openapi-fetch makes of them.
 */

`

/** What \`packages/client/api.ts\` has to be. */
export async function clientTypes(): Promise<string> {
  // Examples are read in the reference.
  const text = JSON.stringify(publishedDocument, (key, value: unknown) => (/^examples?$/.test(key) ? undefined : value))
  const ast = await openapiTS(JSON.parse(text) as OpenAPI3, {
    alphabetize: true,
    // What has a default may be left out of a request.
    defaultNonNullable: false,
    silent: true,
  })
  return HEAD + astToString(ast)
}
