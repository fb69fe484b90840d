/* The bundler takes them in; nothing is imported from them. */
declare module '*.css'
