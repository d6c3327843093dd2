// Stand-in for a service that only has a health check. Each argument is a port on which every request gets 200 and OK, or
// `PORT:STATUS:PATH`, where only PATH gets 200 and everything else gets STATUS.
package main

import (
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
)

func main() {
	errs := make(chan error)
	for _, word := range os.Args[1:] {
		port, rest, _ := strings.Cut(word, ":")
		status, open, _ := strings.Cut(rest, ":")
		code, err := strconv.Atoi(status)
		if err != nil {
			code = http.StatusOK
		}
		go func() {
			errs <- http.ListenAndServe(":"+port, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != open {
					w.WriteHeader(code)
				}
				w.Write([]byte("OK"))
			}))
		}()
	}
	log.Print("stand-in: listening on ", strings.Join(os.Args[1:], " "))
	log.Fatal(<-errs)
}
