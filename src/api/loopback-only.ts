import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

/** Headers that a proxy adds. A request that came through one is not from this machine, whatever the socket says. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** True for 127.0.0.0/8 and ::1, also as IPv4 written in IPv6. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address ?? '');
}

/** True when a Host header or the host of an Origin names this machine itself, with any port. */
function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host);
}

/** Precondition of every operator act: the socket's own peer is this machine (never a header's word), no proxy stands between, and no page of
 *  another site, nor one that rebound its name to this address, sent it. @throws ApiError `api.not-loopback`, `api.cross-site`. */
export async function loopbackOnly(request: FastifyRequest): Promise<void> {
  if (!isLoopbackAddress(request.raw.socket.remoteAddress)) throw new ApiError('api.not-loopback');
  if (proxyHeaders.some((name) => request.headers[name] !== undefined)) throw new ApiError('api.not-loopback');
  const { host, origin } = request.headers;
  if (host === undefined || !isLoopbackHost(host)) throw new ApiError('api.cross-site');
  if (origin !== undefined && origin !== `http://${host}`) throw new ApiError('api.cross-site');
  const fetchSite = request.headers['sec-fetch-site'];
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') throw new ApiError('api.cross-site');
}
