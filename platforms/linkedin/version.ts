/**
 * The monthly version of LinkedIn's API that the connector uses. A version lives for about twelve months: this one gets a
 * 426 from about September 2027 on. To raise it, read the change notes of the months in between and run the tests.
 */
export const API_VERSION = '202609'
