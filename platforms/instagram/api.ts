import { graphApi } from '../meta/api.ts'
import { graphPages } from '../meta/pages.ts'
import { versions } from '../meta/version.ts'
import { errors } from './errors.ts'

export const api = graphApi('instagram', versions.tried, errors)
export const { graph, is, errorOf } = api
export const pages = graphPages(api, true)
