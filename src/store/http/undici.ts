// undici's index also loads fetch, web sockets, caches and mocks, which takes longer than all of what is used here.
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// As the index does it. CONNECT, by which a proxy opens a tunnel, is one of these methods.
Object.assign(Dispatcher.prototype, api);

export { buildConnector, Pool, ProxyAgent };
