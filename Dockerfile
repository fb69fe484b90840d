FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: the package's own would build, and there is nothing to build yet.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY dashboard/package.json dashboard/package-lock.json dashboard/
RUN npm --prefix dashboard ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The optional packages are the builds of the embedded Postgres; in a container the database is another one.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
COPY ai/package.json ai/package-lock.json ai/
RUN npm --prefix ai ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY reference reference
RUN npm --prefix reference ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY telemetry/package.json telemetry/package-lock.json telemetry/
RUN npm --prefix telemetry ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/ai ai
COPY --from=dependencies /app/reference reference
COPY --from=dependencies /app/telemetry telemetry
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY sandbox/media sandbox/media
RUN chmod +x dist/cli/main.js && ln -s /app/dist/cli/main.js /usr/local/bin/fanfare && install -d -o node -g node /data
USER node
EXPOSE 3000
# For the role `api`: the others do not listen.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# What runs is finished or given back within 25 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--enable-source-maps", "/app/dist/cli/main.js"]
CMD ["serve"]
