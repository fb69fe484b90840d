import { locale } from './words.ts'

const usd = new Intl.NumberFormat(locale(), { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })

export function dollars(amount: number): string {
  return usd.format(amount)
}
