import { googleConsent } from '../google/consent.ts'
import { service } from './token.ts'

/** One channel per consent; owners of several choose one on Google's pages. */
export const authorization = googleConsent(service)
