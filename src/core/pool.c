// POSIX threads that wait for work. A caller opens its job at a post; helpers come and go, and stay at the
// post for a while after it closes, awake, for loops often follow each other within microseconds. Those that
// waited in vain sleep, each at its own condition, and are woken two by two: whoever was woken wakes the
// next, so a caller pays for two. A helper that comes too late finds the post closed; no caller waits for one
// to come.
#include "core/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

enum {
    POSTS = 32, // callers at the same time that have helpers; any more of them work alone
    WORDS = SILT_MAX_THREADS / 64,
    LINE = 64,
    // turns of silt_relax for which a helper waits awake: the more of them, the more often that was worth it
    SHORTEST_WAIT = 256,
    LONGEST_WAIT = 8192,
    CLOSING_WAIT = 4096 // and for which a caller waits for its last helpers
};

// A post's state: how many helpers are inside, two flags, and in the upper half how many jobs were opened.
#define INSIDE  ((uint64_t)0xFFFF)
#define OPEN    ((uint64_t)1 << 16)
#define WAITING ((uint64_t)1 << 17) // the caller sleeps until nobody is inside
#define JOB     ((uint64_t)1 << 32)

typedef struct Post {
    _Alignas(LINE) _Atomic uint64_t state;
    SiltPoolFn work; // this and `job` are read by whoever is inside
    void *job;
    atomic_int room;                   // seats of the open job
    atomic_int share;                  // helpers its caller would have for a job of any size
    atomic_bool taken;                 // by a calling thread
    _Alignas(LINE) atomic_int members; // helpers that work or wait here
    _Alignas(LINE) _Atomic uint64_t seats[WORDS];
    pthread_mutex_t lock; // of the caller's sleep
    pthread_cond_t empty;
} Post;

typedef struct Worker {
    _Alignas(LINE) struct Worker *next; // in the list of sleepers
    pthread_cond_t wake;
    bool is_called; // guarded by pool.lock
    Post *post;     // where it is a member
    uint64_t seen;  // the last job it looked at there
    int seat;       // its last one: the same again finds caches warm
    int patience;   // turns it waits awake
} Worker;

static struct {
    pthread_mutex_t lock; // guards the sleepers and the starting of workers
    Worker *sleepers;
    atomic_int sleeping, started;
    _Alignas(LINE) _Atomic uint32_t open; // a bit for each post that is open
    Post posts[POSTS];
    Worker workers[SILT_MAX_THREADS];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t posts_made = PTHREAD_ONCE_INIT;
static _Thread_local Worker *this_worker; // NULL in threads that are not of the pool
static _Thread_local bool is_busy;

bool silt_pool_is_busy(void)
{
    return is_busy;
}

bool silt_pool_set_busy(bool now)
{
    bool before = is_busy;
    is_busy = now;
    return before;
}

int silt_processor_count(void)
{
    static atomic_int known; // asking the system takes longer than a small loop
    int count = atomic_load_explicit(&known, memory_order_relaxed);
    if (count == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        count = processors < 1 ? 1 : processors > SILT_MAX_THREADS ? SILT_MAX_THREADS : (int)processors;
        atomic_store_explicit(&known, count, memory_order_relaxed);
    }
    return count;
}

void silt_relax(int turn)
{
    if (turn % 64 == 63) {
        sched_yield();
        return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void make_posts(void)
{
    for (int k = 0; k < POSTS; k++) {
        pthread_mutex_init(&pool.posts[k].lock, NULL);
        pthread_cond_init(&pool.posts[k].empty, NULL);
    }
}

// ---- which post ----

static uint32_t bit_of(const Post *post)
{
    return (uint32_t)1 << (post - pool.posts);
}

// Becomes a member of the open post that has the smallest part of its share; NULL when all are full, or have
// no less than the worker's own post.
static Post *choose_post(const Post *own)
{
    for (;;) {
        uint32_t open = atomic_load(&pool.open) & ~(own ? bit_of(own) : 0);
        // parts are compared as fractions: members of share, the worker itself counted where it would be
        int best_members = own ? atomic_load_explicit(&own->members, memory_order_relaxed) : 1;
        int best_share = own ? atomic_load_explicit(&own->share, memory_order_relaxed) : 0;
        Post *best = NULL;
        for (int k = 0; k < POSTS && open >> k; k++) { // no shift by all of its bits
            if (!(open >> k & 1))
                continue;
            Post *post = &pool.posts[k];
            int share = atomic_load_explicit(&post->share, memory_order_relaxed);
            int room = atomic_load_explicit(&post->room, memory_order_relaxed);
            int members = atomic_load_explicit(&post->members, memory_order_relaxed) + 1;
            if (members <= room && (int64_t)members * best_share < (int64_t)best_members * share) {
                best = post;
                best_members = members;
                best_share = share;
            }
        }
        if (!best)
            return NULL;
        int before = best_members - 1;
        if (atomic_compare_exchange_strong(&best->members, &before, best_members))
            return best;
    }
}

static void leave_post(Worker *worker)
{
    atomic_fetch_sub(&worker->post->members, 1);
    worker->post = NULL;
}

static void join_post(Worker *worker, Post *post)
{
    worker->post = post;
    worker->seen = UINT64_MAX;
}

bool silt_pool_calls_away(void)
{
    Worker *worker = this_worker;
    if (!worker || !(atomic_load_explicit(&pool.open, memory_order_relaxed) & ~bit_of(worker->post)))
        return false;
    Post *other = choose_post(worker->post);
    if (!other)
        return false;
    atomic_fetch_sub(&worker->post->members, 1);
    join_post(worker, other); // whoever is inside a job of the former post still leaves that
    return true;
}

// ---- sleeping and waking ----

// Wakes up to two sleepers where the post could use them.
static void wake_sleepers(const Post *post)
{
    int missing = atomic_load(&post->room) - atomic_load(&post->members);
    if (missing <= 0 || atomic_load(&pool.sleeping) == 0)
        return;
    Worker *woken[2] = {NULL, NULL};
    pthread_mutex_lock(&pool.lock);
    for (int k = 0; k < 2 && k < missing && pool.sleepers; k++) {
        woken[k] = pool.sleepers;
        pool.sleepers = pool.sleepers->next;
        woken[k]->is_called = true;
        atomic_fetch_sub(&pool.sleeping, 1);
    }
    pthread_mutex_unlock(&pool.lock);
    for (int k = 0; k < 2 && woken[k]; k++) // they are never freed, so this is safe outside the lock
        pthread_cond_signal(&woken[k]->wake);
}

// Returns at a post that wants help.
static void sleep_until_called(Worker *worker)
{
    Post *post = NULL;
    while (!post) {
        pthread_mutex_lock(&pool.lock);
        worker->is_called = false;
        worker->next = pool.sleepers;
        pool.sleepers = worker;
        atomic_fetch_add(&pool.sleeping, 1);
        post = choose_post(NULL); // a job that was opened just before saw nobody asleep: look once more
        if (post) {
            pool.sleepers = worker->next;
            atomic_fetch_sub(&pool.sleeping, 1);
        }
        while (!post && !worker->is_called)
            pthread_cond_wait(&worker->wake, &pool.lock);
        pthread_mutex_unlock(&pool.lock);
        post = post ? post : choose_post(NULL);
    }
    join_post(worker, post);
    wake_sleepers(post);
}

// ---- helping ----

static int take_seat(Post *post, int wish, int room)
{
    if (wish >= 1 && wish <= room) {
        uint64_t bit = (uint64_t)1 << wish % 64;
        if (!(atomic_fetch_or(&post->seats[wish / 64], bit) & bit))
            return wish;
    }
    for (int seat = 1;; seat = seat < room ? seat + 1 : 1) { // there is one: `room` bounds those inside
        uint64_t bit = (uint64_t)1 << seat % 64;
        if (!(atomic_load(&post->seats[seat / 64]) & bit) &&
            !(atomic_fetch_or(&post->seats[seat / 64], bit) & bit))
            return seat;
    }
}

static void free_seat(Post *post, int seat)
{
    atomic_fetch_and(&post->seats[seat / 64], ~((uint64_t)1 << seat % 64));
}

static void go_out(Post *post)
{
    uint64_t state = atomic_fetch_sub(&post->state, 1);
    if (!(state & WAITING) || (state & INSIDE) != 1)
        return;
    pthread_mutex_lock(&post->lock);
    pthread_cond_signal(&post->empty);
    pthread_mutex_unlock(&post->lock);
}

// Goes into the open job of the worker's post, unless it is full or closed by now.
static void help(Worker *worker)
{
    Post *post = worker->post;
    uint64_t state = atomic_fetch_add(&post->state, 1);
    worker->seen = state / JOB;
    int room = atomic_load_explicit(&post->room, memory_order_relaxed);
    if ((state & OPEN) && (state & INSIDE) < (uint64_t)room) {
        worker->seat = take_seat(post, worker->seat, room);
        post->work(post->job, worker->seat);
        free_seat(post, worker->seat);
    }
    go_out(post);
}

// Waits awake until the worker's post, or one that it is called to, opens a job; false when none came.
static bool wait_for_job(Worker *worker)
{
    for (int turn = 0; turn < worker->patience; turn++) {
        uint64_t state = atomic_load_explicit(&worker->post->state, memory_order_relaxed);
        bool is_new = (state & OPEN) && state / JOB != worker->seen;
        if (is_new || (turn % 64 == 63 && silt_pool_calls_away())) {
            worker->patience = worker->patience < LONGEST_WAIT ? 2 * worker->patience : LONGEST_WAIT;
            return true;
        }
        silt_relax(turn);
    }
    worker->patience = worker->patience > SHORTEST_WAIT ? worker->patience / 2 : SHORTEST_WAIT;
    return false;
}

static void *run_worker(void *self)
{
    Worker *worker = self;
    this_worker = worker;
    is_busy = true;
    for (;;) {
        if (!worker->post)
            sleep_until_called(worker);
        if (wait_for_job(worker))
            help(worker);
        else
            leave_post(worker);
    }
    return NULL;
}

// Fewer workers than asked for is no failure.
static void start_workers(int share)
{
    int wanted = share, most = silt_processor_count() - 1;
    uint32_t open = atomic_load_explicit(&pool.open, memory_order_relaxed);
    for (int k = 0; k < POSTS && open >> k && wanted < most; k++)
        if (open >> k & 1)
            wanted += atomic_load_explicit(&pool.posts[k].share, memory_order_relaxed);
    most = share > most ? share : most;
    wanted = wanted < most ? wanted : most;
    if (atomic_load(&pool.started) >= wanted)
        return;
    pthread_mutex_lock(&pool.lock);
    for (int k = atomic_load(&pool.started); k < wanted; k++) {
        Worker *worker = &pool.workers[k];
        worker->seat = k + 1;
        worker->patience = SHORTEST_WAIT;
        pthread_t thread;
        pthread_cond_init(&worker->wake, NULL);
        if (pthread_create(&thread, NULL, run_worker, worker) != 0)
            break;
        pthread_detach(thread);
        atomic_store(&pool.started, k + 1);
    }
    pthread_mutex_unlock(&pool.lock);
}

// ---- calling ----

// A thread comes back to the post where its helpers wait.
static Post *take_post(void)
{
    static atomic_uint thread_count;
    static _Thread_local unsigned home = POSTS;
    if (home == POSTS)
        home = atomic_fetch_add(&thread_count, 1) % POSTS;
    for (int k = 0; k < POSTS; k++, home = (home + 1) % POSTS) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&pool.posts[home].taken, &expected, true))
            return &pool.posts[home];
    }
    return NULL;
}

static void wait_until_empty(Post *post)
{
    for (int turn = 0; turn < CLOSING_WAIT; turn++) {
        if (!(atomic_load(&post->state) & INSIDE))
            return;
        silt_relax(turn);
    }
    pthread_mutex_lock(&post->lock);
    atomic_fetch_or(&post->state, WAITING);
    while (atomic_load(&post->state) & INSIDE)
        pthread_cond_wait(&post->empty, &post->lock);
    atomic_fetch_and(&post->state, ~WAITING);
    pthread_mutex_unlock(&post->lock);
}

void silt_pool_run(int room, int share, SiltPoolFn work, void *job)
{
    pthread_once(&posts_made, make_posts);
    Post *post = take_post();
    if (post) {
        post->work = work;
        post->job = job;
        atomic_store_explicit(&post->room, room, memory_order_relaxed);
        atomic_store_explicit(&post->share, share, memory_order_relaxed);
        start_workers(share);
        atomic_fetch_add(&post->state, OPEN + JOB);
        atomic_fetch_or(&pool.open, bit_of(post));
        wake_sleepers(post);
    }
    is_busy = true;
    work(job, 0);
    is_busy = false;
    if (post) {
        atomic_fetch_and(&pool.open, ~bit_of(post));
        if (atomic_fetch_and(&post->state, ~OPEN) & INSIDE)
            wait_until_empty(post);
        atomic_store(&post->taken, false);
    }
}
