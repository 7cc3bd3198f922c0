# storeport as a container. /data is its working directory and keeps everything:
#
#   docker build --tag storeport .
#   docker run --rm --volume "$PWD:/data" --env-file .env storeport import products shopify-products.csv
#
# docs/deployment.md has more. Node 24 has long-term support until April 2028 and is the newest version that the tests cover.
# Debian instead of Alpine: the binary of the database is tested with glibc. The tag has no patch level, so that each build
# has the security fixes of its day; name another with --build-arg NODE=24.11.1-bookworm-slim.
ARG NODE=24-bookworm-slim

FROM node:${NODE} AS package
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The package as users install it, with the libraries of the lock file and no others.
RUN npm run build \
  && npm pack --ignore-scripts --pack-destination /tmp \
  && mkdir /package \
  && tar --extract --gzip --file /tmp/storeport-*.tgz --directory /package --strip-components 1 \
  && cp package-lock.json /package/ \
  && cd /package \
  && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm package-lock.json

FROM node:${NODE}
LABEL org.opencontainers.image.title="storeport" \
  org.opencontainers.image.description="Moves a shop's data in and out of a commerce store over its HTTP API" \
  org.opencontainers.image.licenses="MIT"
# tini is the first process. The kernel ignores SIGTERM for a first process that has no handler for it, as node has none
# while it starts; tini has one, and passes it on.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*
COPY --from=package /package /opt/storeport
RUN ln -s /opt/storeport/dist/storeport.js /usr/local/bin/storeport \
  && chmod +x /opt/storeport/dist/storeport.js \
  && install --directory --owner=node --group=node --mode=0700 /data
ENV NODE_ENV=production \
  STOREPORT_HOME=/data/.storeport
USER node
WORKDIR /data
VOLUME /data
# The database is loaded too, so that an image whose binary does not fit is never made.
RUN storeport --version && cd /tmp && storeport demo --home /tmp/home && rm -rf /tmp/home /tmp/storeport-demo
ENTRYPOINT ["/usr/bin/tini", "--", "storeport"]
CMD ["--help"]
