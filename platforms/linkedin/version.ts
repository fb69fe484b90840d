/**
 * The month of LinkedIn's versioned API that the connector speaks. A month lives for about twelve: this one is answered
 * with 426 from about September 2027 on. To raise it, read the change notes of the months in between and run the tests.
 */
export const API_VERSION = '202609'
