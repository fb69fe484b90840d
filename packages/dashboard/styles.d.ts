/* Bundled as side effects only; they export nothing. */
declare module '*.css'
