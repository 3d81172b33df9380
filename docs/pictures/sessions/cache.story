A cache that is never valid, made up for the pictures.

== fires
error_fix: symptom 1, cause 8, change 9, verification 10

user: Our Docker builds take ten minutes again, the layer with the packages is never cached. The check for it fails, please fix it.
run 1: make check-cache
    check-cache: layer 4 (npm ci) was rebuilt, expected CACHED
    make: *** [Makefile:12: check-cache] Error 1
agent: The lock file may have changed. I will copy it before everything else.
edit: Dockerfile
    -COPY package.json .
    +COPY package.json package-lock.json ./
run 1: make check-cache
    check-cache: layer 4 (npm ci) was rebuilt, expected CACHED
    make: *** [Makefile:12: check-cache] Error 1
agent: Still rebuilt, so the lock file is not the reason.
read: Makefile
    docker build --build-arg BUILD_TIME=$(shell date +%s) -t shop .
agent: It turns out that ARG BUILD_TIME comes before npm ci in the Dockerfile, and its value differs at each build, because it is the time: a changed ARG invalidates every layer behind it. It has to come last.
edit: Dockerfile
    -ARG BUILD_TIME
    -RUN npm ci
    +RUN npm ci
    +ARG BUILD_TIME
run: make check-cache
    check-cache: layer 4 (npm ci) CACHED
    ok
agent: Fixed: the packages are cached again. ARG BUILD_TIME now comes after npm ci.
user: Nice, thanks!
