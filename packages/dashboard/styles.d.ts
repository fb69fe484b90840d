/** The styles of one page: their URL. */
declare module '*.page.css' {
  const url: string
  export default url
}
/* Bundled as side effects only; they export nothing. */
declare module '*.css'
