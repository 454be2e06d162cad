/// What `--help` prints.
enum HelpText {
    static let text = """
        uvload: loads of many kinds for any HTTP/1.1 server, at once and verified

        usage: uvload --url http://HOST:PORT [options] LOAD…
               uvload [--seed N] --make FILE=SIZE… | --check FILE…

        A LOAD is KIND:setting=value,setting=value…

          get         fetch path=/FILE again and again
          range       fetch parts of path=/FILE, which has size=SIZE; each of length=64KiB, at random places
          put         upload files of size=SIZE by PUT
          form        upload files of size=SIZE by multipart form
          idle        hold connections that ask for nothing, or once for path=/FILE
          slow-read   get with rate=1KB/s and buffer=4KiB; with rate=0 it asks and reads nothing
          slow-write  put with rate=1KB/s

        Settings of most loads
          clients=1        connections at once, each with one request at a time
          count=N          requests in all; without it, until --duration is over
          pace=N/s         requests a second of all clients together; latency then counts from when a request was due
          rate=20MB/s      bytes of content a second of each client
          keep-alive=yes   no: a new connection for each request
          verify=yes       compare each byte that is fetched, and fetch each upload; no: look at status and length only
        of downloads
          path=/FILE       "{client}" in it becomes the client's number, from 0
          size=SIZE        of the file. With it, the content is compared with what --make makes of this name and seed
          buffer=SIZE      the socket's receive buffer
          cold=FOLDER      the folder on this machine with the files: each is dropped from the page cache before it is asked for
        of uploads
          folder=/         where they are found afterwards; put sends them there
          names=N          after so many uploads of a client their names come again; without it, never
          delete=no        yes: DELETE each afterwards
          chunked=no       yes: announce no length (put, slow-write)
          to=/             where forms are sent
          field=file       the form's field
          files=1          files a form

        Options
          --url URL            the server
          --duration 10s       ends the run; without it, the loads that have a count end it
          --seed N             of all content and all choices (default 1): two runs with one seed ask for the same
          --timeout 60s        how long nothing may move before a request has failed
          --header 'A: b'      one more field in every request; repeatable
          --json               print the result as JSON
          --make FILE=SIZE     make a file to be fetched
          --check FILE         whether a file is what an upload of this name and seed sent

        Sizes: 4096, 64KiB, 20MB. Exit status: 0 when all was right, 1 when a request failed or a file differs, 2 for wrong usage.

        Example: eight uploads and a hundred stalled readers while small files are fetched
          uvload --url http://127.0.0.1:8080 --duration 10s put:clients=8,size=64MiB,rate=20MB/s,delete=yes \\
            slow-read:clients=100,path=/big.bin,rate=0 get:path=/small.bin,clients=16,pace=1000/s
        """
}
