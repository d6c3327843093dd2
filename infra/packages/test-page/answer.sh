# One HTTP answer on standard output; the request is read first, or the connection would be reset.
while read -r line; do [ "${#line}" -gt 1 ] || break; done
printf 'HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n'
cat /page/index.html
