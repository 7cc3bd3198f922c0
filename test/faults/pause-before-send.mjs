// Loaded before the real binary with NODE_OPTIONS=--import. After SIGUSR2, the process stops itself, as by SIGSTOP, just before
// it writes the next create to a socket: its intent is committed by then, and nothing is sent.
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';

let isArmed = false;

function pauseBefore(text) {
  if (!isArmed || !/^POST \/api\/products\/create/.test(text)) return;
  isArmed = false;
  process.kill(process.pid, 'SIGSTOP');
}

if (isMainThread) {
  process.on('SIGUSR2', () => {
    isArmed = true;
  });
  const { _write, _writev } = net.Socket.prototype;
  net.Socket.prototype._write = function (chunk, ...rest) {
    pauseBefore(String(chunk));
    return _write.call(this, chunk, ...rest);
  };
  net.Socket.prototype._writev = function (chunks, done) {
    pauseBefore(String(chunks[0]?.chunk));
    return _writev.call(this, chunks, done);
  };
}
