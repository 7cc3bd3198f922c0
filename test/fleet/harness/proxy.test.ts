import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive, ownerOfConnection } from '../../faults/fleet/machines/processes.ts';
import { type FaultyProxy, startProxy } from '../../faults/fleet/machines/proxy.ts';

/** A proxy before a server that notes what arrives and answers each chunk with `!`. */
async function proxyToEcho(): Promise<{ proxy: FaultyProxy; arrived: string[]; seen: string[] }> {
  const arrived: string[] = [];
  const seen: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      arrived.push(String(chunk));
      socket.write('!');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = await startProxy({ to: port, onSent: (_, chunk) => seen.push(String(chunk)) });
  onTestFinished(async () => {
    await proxy.stop();
    server.close();
  });
  return { proxy, arrived, seen };
}

async function client(proxy: FaultyProxy): Promise<{ socket: Socket; got: string[]; errors: string[] }> {
  const got: string[] = [];
  const errors: string[] = [];
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('data', (chunk) => got.push(String(chunk)));
  socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code ?? ''));
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve).once('error', resolve));
  return { socket, got, errors };
}

test('a proxy forwards requests and answers, and shows what was sent', async () => {
  const { proxy, arrived, seen } = await proxyToEcho();
  const { socket, got } = await client(proxy);
  socket.write('one');
  await expect.poll(() => got.join('')).toBe('!');
  expect([arrived, seen]).toEqual([['one'], ['one']]);
});

test('reset ends the connections there are, and accepts new ones', async () => {
  const { proxy } = await proxyToEcho();
  const before = await client(proxy);
  before.socket.write('one');
  await expect.poll(() => before.got.join('')).toBe('!');
  proxy.cut('reset');
  await expect.poll(() => before.errors).toEqual(['ECONNRESET']);
  const after = await client(proxy);
  after.socket.write('two');
  await expect.poll(() => after.got.join('')).toBe('!');
});

test('refuse resets new connections until the fault ends', async () => {
  const { proxy } = await proxyToEcho();
  proxy.cut('refuse');
  const during = await client(proxy);
  await expect.poll(() => during.errors).toEqual(['ECONNRESET']);
  proxy.heal();
  const after = await client(proxy);
  after.socket.write('two');
  await expect.poll(() => after.got.join('')).toBe('!');
});

test('stall holds bytes back and delivers them when the fault ends', async () => {
  const { proxy, arrived } = await proxyToEcho();
  const before = await client(proxy);
  before.socket.write('one');
  await expect.poll(() => before.got.join('')).toBe('!');
  proxy.cut('stall');
  before.socket.write('two');
  const during = await client(proxy);
  during.socket.write('three');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(arrived).toEqual(['one']);
  proxy.heal();
  await expect.poll(() => arrived.toSorted()).toEqual(['one', 'three', 'two']);
  await expect.poll(() => before.got.join('')).toBe('!!');
});

test('mute delivers requests and loses their answers', async () => {
  const { proxy, arrived } = await proxyToEcho();
  const { socket, got, errors } = await client(proxy);
  socket.write('one');
  await expect.poll(() => got.join('')).toBe('!');
  proxy.cut('mute');
  socket.write('two');
  await expect.poll(() => arrived).toEqual(['one', 'two']);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(got.join('')).toBe('!');
  proxy.heal();
  await expect.poll(() => errors).toEqual(['ECONNRESET']);
});

test('the owner of a connection is found by its port', async () => {
  const { proxy } = await proxyToEcho();
  const { socket } = await client(proxy);
  expect(ownerOfConnection(socket.localPort ?? 0, proxy.port, [process.pid])).toBe(process.pid);
  expect(ownerOfConnection(socket.localPort ?? 0, proxy.port, [process.ppid])).toBeUndefined();
  expect(isAlive(process.pid)).toBe(true);
});
