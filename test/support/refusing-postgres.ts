import { createServer, type Socket } from 'node:net';

/** A server that speaks enough of Postgres's protocol to ask for a password and to refuse. */
export interface RefusingPostgres {
  readonly port: number;
  /** Passwords that it got. */
  readonly passwords: readonly string[];
  close(): Promise<void>;
}

/** `code`, `message`: of the error with which it answers the password. */
export async function startRefusingPostgres(code: string, message: string): Promise<RefusingPostgres> {
  const passwords: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let isStarted = false;
    socket.on('data', (bytes) => {
      if (!isStarted) {
        isStarted = true;
        socket.write(part('R', Buffer.from([0, 0, 0, 3])));
        return;
      }
      passwords.push(bytes.subarray(5, -1).toString());
      const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${message}`, ''];
      socket.end(part('E', Buffer.from(`${fields.join('\0')}\0`)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    passwords,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A message: its type, its length with the length itself, its content. */
function part(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}
