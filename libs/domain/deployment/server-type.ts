/** `new` is a server ordered by the platform, and `vps` is a customer's own server. */
export type ServerType = 'new' | 'vps';
