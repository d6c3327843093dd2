/** `new`: a server that the platform orders; `vps`: one that the customer has. */
export type ServerType = 'new' | 'vps';
